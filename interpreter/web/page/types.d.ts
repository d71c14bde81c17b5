/** What the server sends, as the page reads it. `schemas/scene.schema.json` and `schemas/web_*.schema.json` are the truth. */

interface Clause { page: string; summary: string; sort: string; rulings?: string[] }
interface Field { id?: string; name: string; declared?: string; value: any; seat?: number; symbol?: string | null; index?: string; said?: string; tint?: string; letter?: string; of?: number; ground?: string }

interface CounterItem { id: string; key: string; name: string; value: any; tint?: string | null; letter?: string | null; changed?: number | null }
interface Counter {
  id: string; name: string; declared?: string; value: any; range?: [number, number] | null; look: string; items?: CounterItem[] | null;
  symbol?: string | null; unit?: string; changed?: number | null; seat: number | null; help?: string | null; refers?: string; tint?: string; cites?: string[];
  grid?: { rows: string[]; columns: string[] };
}
interface Seat {
  id: string; seat: number; name: string; title?: string; colour: string; ink: string; sign: string; score: number | string | boolean | null; score_counter: string | null;
  counters: string[]; areas: string[]; is_me: boolean; is_automa?: boolean; is_out?: boolean;
}
interface Area { id: string; title: string | null; column: string; seat: number | null; order: number; items: string[]; folded?: boolean; main?: boolean }
interface Group { id: string; name: string; sort: string; seat: number | null; columns: string[]; rows: { label: string; places: string[] }[]; stacked?: boolean; lattice?: { lines: string[]; columns: string[] } }
interface Place {
  id: string; name: string; short?: string; sort: string; visibility: string; owner: number | null; capacity: number | null; kinds: string[]; index: string | null;
  group?: string; at: string | null; of?: number; count: number | null; pieces: string[]; look: string; changed?: boolean; help?: string | null; cites?: string[];
}
interface SideValue { name: string; tint: string; letter: string; symbol?: string }
interface Sides { values: SideValue[]; turned?: number; by?: string; anticlockwise?: boolean; mirrored?: boolean }
interface Piece {
  id: string; kind: string | null; kind_name: string; name: string | null; place: string; back: { words?: string[]; tint?: string } | null; face_down: boolean; owner: number | null; look: string;
  size: string | null; title?: string; figure: string | null; counts?: string; counts_symbol?: string; label: string | null; tint: string | null; letter: string | null; symbol: string | null; drawing: string | null;
  lines: string[]; fields: Field[]; carries: string[]; cites: string[]; points?: string[]; sides?: Sides;
}
interface Dice { id: string; name: string; seat: number | null; at: string | null; range: number[]; dice: { id: string; face: number | string | null }[]; changed?: boolean }
interface TrackCell { id: string; label: string; note?: string; symbol?: string | null; tint?: string }
interface Track { id: string; name: string; cells: TrackCell[]; markers: { id: string; seat: number | null; cell: string | null; counter?: string }[]; columns?: number }
interface Standing { id: string; counter: string; name: string; seat: number | null }
interface MapNode {
  id: string; name: string; short?: string | null; x: number; y: number; row?: number | null; column?: number | null; kind?: string | null; tint?: string | null;
  sign?: string | null; ground?: string; tile?: string; owner: number | null; fields: Field[]; places: string[]; standing: Standing[]; changed?: boolean; changed_on?: number[]; note?: string | null; cites?: string[]; figure?: number;
}
interface MapEdge {
  id: string; ends: [string, string]; name: string | null; kind?: string | null; capacity?: number | null; owner: number | null; places: string[]; fields: Field[]; changed?: boolean;
  standing: Standing[]; lane?: number; cites?: string[];
}
interface GameMap {
  id: string; name: string; sort: string; on?: string; rows?: number | null; columns?: number | null; orientation?: string | null; stretch?: number | null; box?: [number, number] | null;
  nodes: MapNode[]; edges: MapEdge[]; checkered?: boolean; outline?: string | null; drawing?: string; own?: boolean;
  legend: { name: string; ground: string; tint?: string; sign?: string | null }[];
}
interface Preview {
  counters?: { id: string; from: any; to: any }[]; moves?: { piece: string | null; from?: string | null; to: string | null }[]; owners?: { id: string; seat: number | null }[];
}
interface Option {
  index: number; code: number; label: string; kind: string; values: { sort: string; name: string; id: string | null; key?: string | null }[]; touches: string[];
  group?: string | null; preview?: Preview | null; note?: string | null; cites?: string[];
}
interface Decision {
  player: number; prompt: string; kind?: string; path: string[]; cites: string[]; picked: { name: string; id: string | null }[]; to_pay: { left: number; total: number | null; what: string } | null;
  progress: string | null; options: Option[];
}
interface Refusal { reason: string; cites: string[]; things: { id: string | null; name: string }[] }
interface LogLine { step: number | null; seat: number | null; text: string; cites: string[]; level: number; new?: boolean }
interface ScoreSheet { rows: { name: string; cites?: string[]; values: any[] }[]; total: any[]; rank: (number | null)[]; final: boolean }
interface Scene {
  schema: number; game: string; title: string; player: number | null;
  status: { path: string[]; turn: number | null; decides: number | null; waiting: string | null };
  seats: Seat[]; counters: Counter[]; areas: Area[]; groups: Group[]; places: Place[]; pieces: Piece[]; dice: Dice[]; tracks: Track[]; maps: GameMap[];
  decision: Decision | null; refused: { count: number; by_reason: Refusal[] } | null; log: LogLine[]; clauses: Record<string, Clause>;
  score_sheet: ScoreSheet | null; changes: { ids: string[]; moves: { piece: string | null; from: string | null; to: string | null }[]; counters: { id: string; from: any; to: any }[] } | null;
  drawings: Record<string, string>;
}
interface TableSeat { seat: number; name: string; kind: string; bot: string | null; connected: boolean }
interface Result { ranking: number[]; reason: string | null; scores: any[]; score_lines: any }
interface Position {
  type: "position"; table: string; game: string; title: string; number: number; step: number; steps: number; live: boolean; me: number | null;
  seats: TableSeat[]; over: boolean; result: Result | null; language: string; scene: Scene; undo?: { to: number | null; why: string | null } | null;
  hints?: boolean; owner?: boolean; watch?: boolean; fault?: Fault | null;
}
interface Fault { words: string; rule?: string; cites?: string[]; step?: number; text?: string; place?: string }
