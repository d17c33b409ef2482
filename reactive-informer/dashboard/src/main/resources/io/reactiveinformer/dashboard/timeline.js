// Two minutes of changes per second: those that happened in the back, those that this page received in front; a grey column where nothing is known.
// Above them a letter where an informer was disrupted, listed again, or resumed; below them the same in words, with the cause.

const SECONDS = 120;
const SVG = "http://www.w3.org/2000/svg";
const LETTERS = { disruption: "D", relist: "L", resume: "R" };

/** What happens to several informers at about the same time is one mark. */
function grouped(marks, same) {
  const groups = [];
  for (const mark of marks) {
    const group = groups.find(each => same(each, mark) && Math.abs(each.ago - mark.ago) <= 2);
    group ? group.tables.push(mark.table) : groups.push({ ...mark, tables: [mark.table] });
  }
  return groups;
}

export class Timeline {
  #seconds = []; // pairs of numbers; null where nothing is known
  #bars = [];
  #until = Date.now();
  #most;
  #marks;
  #happenings;
  #said = "";

  constructor(svg, most, marks, happenings) {
    this.#most = most;
    this.#marks = marks;
    this.#happenings = happenings;
    this.#say([]);
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

  /** @param all what happened in the two minutes, newest first */
  mark(all) {
    const letters = grouped(all, (one, other) => one.kind === other.kind);
    while (this.#marks.children.length > letters.length) {
      this.#marks.lastElementChild.remove();
    }
    letters.forEach((group, i) => {
      const mark = this.#marks.children[i] ?? this.#marks.appendChild(document.createElement("span"));
      mark.className = group.kind;
      mark.textContent = LETTERS[group.kind];
      mark.style.left = `${(SECONDS - group.ago) / SECONDS * 100}%`;
    });
    const said = JSON.stringify(all.map(({ table, id }) => [table, id]));
    if (said !== this.#said) {
      this.#said = said;
      this.#say(grouped(all, (one, other) => one.kind === other.kind && one.cause === other.cause));
    }
  }

  #say(groups) {
    this.#happenings.replaceChildren(...(groups.length === 0 ? [{ none: true }] : groups).map(group => {
      const line = document.createElement("li");
      if (group.none) {
        line.textContent = "none";
        return line;
      }
      const time = new Date(Date.now() - group.ago * 1000).toLocaleTimeString();
      const what = document.createElement("b");
      what.textContent = `${time} ${group.kind}`;
      line.className = group.kind;
      line.append(what, ` of ${[...new Set(group.tables)].join(", ")}${group.cause ? `: ${group.cause}` : ""}`);
      return line;
    }));
  }

  #draw() {
    this.#seconds.splice(0, this.#seconds.length - SECONDS);
    const most = Math.max(10, ...this.#seconds.filter(second => second).flat());
    this.#most.textContent = `${most}/s`;
    const first = SECONDS - this.#seconds.length;
    this.#seconds.forEach((second, i) => this.#bars[first + i].forEach((bar, which) => {
      const height = second ? second[which] / most * 100 : which === 0 ? 100 : 0;
      bar.classList.toggle("unknown", !second);
      bar.setAttribute("y", String(100 - height));
      bar.setAttribute("height", String(height));
    }));
  }
}
