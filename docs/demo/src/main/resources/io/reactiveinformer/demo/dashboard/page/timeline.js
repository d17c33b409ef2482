// Two minutes of changes per second: those that happened in the back, those that this page received in front; a grey column where nothing is known.

const SECONDS = 120;
const SVG = "http://www.w3.org/2000/svg";

export class Timeline {
  #seconds = []; // pairs of numbers; null where nothing is known
  #bars = [];
  #until = Date.now();

  constructor(svg) {
    svg.setAttribute("viewBox", `0 0 ${SECONDS} 100`);
    for (let i = 0; i < SECONDS; i++) {
      this.#bars.push(["happened", "received"].map(name => {
        const bar = document.createElementNS(SVG, "rect");
        bar.setAttribute("class", name);
        bar.setAttribute("x", String(i + (name === "happened" ? 0.05 : 0.25)));
        bar.setAttribute("width", name === "happened" ? "0.9" : "0.5");
        svg.append(bar);
        return bar;
      }));
    }
  }

  add(happened, received) {
    this.#seconds.push([happened, received]);
    this.#until = Date.now();
    this.#draw();
  }

  /** Nothing is known of the time up to now. */
  addUnknown() {
    const seconds = Math.min(SECONDS, Math.floor((Date.now() - this.#until) / 1000));
    if (seconds > 0) {
      this.#seconds.push(...Array(seconds).fill(null));
      this.#until = Date.now();
      this.#draw();
    }
  }

  #draw() {
    this.#seconds.splice(0, this.#seconds.length - SECONDS);
    const most = Math.max(10, ...this.#seconds.filter(second => second).flat());
    const first = SECONDS - this.#seconds.length;
    this.#seconds.forEach((second, i) => this.#bars[first + i].forEach((bar, which) => {
      const height = second ? second[which] / most * 100 : which === 0 ? 100 : 0;
      bar.classList.toggle("unknown", !second);
      bar.setAttribute("y", String(100 - height));
      bar.setAttribute("height", String(height));
    }));
  }
}
