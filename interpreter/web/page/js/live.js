/**
 * The live connection of one seat at one table. It says hello with the seat's token, hands on what the server sends, and
 * when the line breaks it tries again with growing pauses, for ever: nothing is lost, since every position is sent whole.
 */

const PAUSES = [300, 700, 1500, 3000, 5000, 8000];

export class Live {
  /**
   * @param {string} table @param {string | null} token @param {string} language
   * @param {{message: (message: any, first: boolean) => void, line: (up: boolean) => void}} report
   */
  constructor(table, token, language, report) {
    Object.assign(this, { table, token, language });
    this.report = report;
    this.tries = 0;
    this.closed = false;
    this.first = true; // the next message is the first of a connection
    /** @type {WebSocket | null} */
    this.socket = null;
    this.hello = JSON.stringify({ seat: token, language });
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${encodeURIComponent(table)}/live`;
    this.connect();
  }

  connect() {
    if (this.closed) return;
    const socket = new WebSocket(this.url);
    this.first = true;
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(this.hello));
    socket.addEventListener("message", (event) => this.receive(event));
    socket.addEventListener("close", () => this.lost(socket));
  }

  /** @param {MessageEvent} event */
  receive(event) {
    this.tries = 0;
    this.report.line(true);
    const { first } = this;
    this.first = false;
    this.report.message(JSON.parse(event.data), first);
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (this.closed || socket !== this.socket) return;
    this.report.line(false);
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), pause);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
