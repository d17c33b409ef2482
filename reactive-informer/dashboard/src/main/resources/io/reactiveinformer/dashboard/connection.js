// Whether this page receives anything from its own server. Each event is a sign of life, and a pulse comes once a second. The page's clock decides: a
// connection that hangs says nothing of itself, and an EventSource would wait on it for ever.

/** The silence after which the server counts as lost: five pulses. */
const SILENCE = 5000;

/** The pause between two tries. */
const PAUSE = 2000;

const EVENTS = ["hello", "row", "gone", "synced", "pulse"];

/**
 * Calls the handler of each event's name with its data. Calls `connected` once something is received where nothing was, with the milliseconds since the
 * event before; `away` once a second while nothing is, with the time of the last event, its age, and the reason if there is one; `refused` with the reason
 * if the server does not take the filter.
 */
export class Connection {
  #handlers;
  #source = null;
  #wish = "";
  #connected = false;
  #reason = ""; // why nothing is received, if the server says so
  #heard = new Moment(); // the page itself came from there
  #tried = new Moment();

  constructor(handlers) {
    this.#handlers = handlers;
    setInterval(() => this.#tick(), 1000);
  }

  ask(wish) {
    this.#wish = String(wish);
    this.#open();
  }

  #open() {
    this.#source?.close();
    const source = this.#source = new EventSource(`ui/changes?${this.#wish}`);
    this.#tried = new Moment();
    for (const name of EVENTS) {
      source.addEventListener(name, event => {
        if (source === this.#source) {
          this.#hear();
          this.#handlers[name](JSON.parse(event.data));
        }
      });
    }
    source.addEventListener("error", () => {
      if (source === this.#source) {
        source.readyState === EventSource.CLOSED ? this.#askWhy(source) : this.#lose();
      }
    });
  }

  /** An answer that is no stream: an EventSource does not show it, a request of one's own does. */
  async #askWhy(source) {
    const asked = new AbortController();
    const answer = await fetch(source.url, { signal: AbortSignal.any([asked.signal, AbortSignal.timeout(SILENCE)]) }).catch(() => null);
    const refused = answer?.status === 400;
    this.#reason = answer?.status === 401 || answer?.status === 403
        ? `It refuses this page (${answer.status}); load the page again to log in.` : "";
    const why = refused ? await answer.text().catch(() => "") : "";
    asked.abort();
    if (source !== this.#source) {
      return;
    }
    if (!refused) {
      this.#lose();
      return;
    }
    this.#source = null;
    this.#hear();
    this.#handlers.refused(why || `refused: ${answer.status}`);
  }

  #hear() {
    const silence = this.#heard.ago();
    this.#heard = new Moment();
    this.#reason = "";
    if (!this.#connected) {
      this.#connected = true;
      this.#handlers.connected(silence);
    }
  }

  #lose() {
    this.#source?.close();
    this.#source = null;
    this.#connected = false;
    this.#handlers.away(this.#heard.time, this.#heard.ago(), this.#reason);
  }

  #tick() {
    const silent = this.#heard.ago() > SILENCE;
    if (this.#source && silent && this.#tried.ago() > SILENCE) {
      this.#source.close();
      this.#source = null;
    }
    if (silent) {
      this.#connected = false;
    }
    if (!this.#connected) {
      this.#handlers.away(this.#heard.time, this.#heard.ago(), this.#reason);
    }
    if (!this.#source && this.#tried.ago() > PAUSE) {
      this.#open();
    }
  }
}

/** A clock that is set back must not hide a silence, nor one that stands still while the machine sleeps. */
class Moment {
  time = Date.now();
  #mark = performance.now();

  /** The age in milliseconds. */
  ago() {
    return Math.max(Date.now() - this.time, performance.now() - this.#mark);
  }
}
