/** Fills in what a scene leaves out, once, when it arrives: drawing code then finds every part, empty or not. */

/** @param {any} position @returns {Position} */
export function readPosition(position) {
  const scene = position.scene;
  for (const piece of scene.pieces) {
    // What the seat cannot name lies face down for it, whatever the rules call it.
    piece.face_down ??= piece.name === null;
    Object.assign(piece, { kind_name: piece.kind ?? "", face_down: false, owner: null, figure: null, label: null, tint: null, letter: null, symbol: null, drawing: null, back: null, size: null, lines: [], fields: [], carries: [], cites: [], ...piece });
  }
  for (const place of scene.places) Object.assign(place, { look: "", owner: null, capacity: null, index: null, at: null, ...place });
  for (const map of scene.maps) {
    map.legend ??= [];
    for (const thing of [...map.nodes, ...map.edges]) Object.assign(thing, { owner: null, fields: [], places: [], standing: [], ...thing });
  }
  for (const track of scene.tracks) track.markers ??= [];
  scene.groups ??= [];
  scene.drawings ??= {};
  return position;
}
