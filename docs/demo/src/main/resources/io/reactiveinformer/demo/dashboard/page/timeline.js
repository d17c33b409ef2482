// Two minutes of changes per second: what happened in the back, what this page was told in front.

const SECONDS = 120;
const SVG = "http://www.w3.org/2000/svg";

export class Timeline {
  #seconds = [];
  #bars = [];

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
    this.#seconds.splice(0, this.#seconds.length - SECONDS);
    const most = Math.max(10, ...this.#seconds.flat());
    const first = SECONDS - this.#seconds.length;
    this.#seconds.forEach((second, i) => second.forEach((count, which) => {
      const bar = this.#bars[first + i][which];
      const height = count / most * 100;
      bar.setAttribute("y", String(100 - height));
      bar.setAttribute("height", String(height));
    }));
  }
}
