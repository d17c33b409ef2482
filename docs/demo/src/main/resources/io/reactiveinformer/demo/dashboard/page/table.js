// One table. Everything is shown as text; nothing from a cluster becomes markup.

const MINOR = new Set(["Node", "Restarts", "Version", "Updated", "Count", "Object"]);
const NUMBERS = new Set(["Ready", "Restarts", "Updated", "Succeeded", "Failed", "Count"]);
const TONED = new Set(["Status", "Reason"]);

/** Most lines: a reader does not need more, and a browser is slow with them. */
const MOST = 500;

export class Table {
  #rows = new Map(); // by key: the row, its place, and its line if it has one
  #shown = []; // those with a line, in order
  #titles;
  #newestFirst;
  #body;
  #section;
  #count;
  #note;
  #nothing;

  constructor({ name, columns }, parent) {
    this.#newestFirst = name === "Events" || name === "Jobs";
    const section = this.#section = element("section", `card ${name.toLowerCase()}`);
    section.setAttribute("aria-label", name);
    const heading = element("h2", "", name);
    this.#count = element("span", "", "…");
    this.#note = element("span", "note");
    heading.append(this.#count, this.#note);
    const scroll = element("div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", `Rows of ${name}`);
    const table = element("table");
    const head = table.createTHead().insertRow();
    this.#titles = name === "Events" ? [...columns, "Namespace", "Seen"]
        : name === "Nodes" ? ["Name", ...columns, "Age"] : ["Name", ...columns, "Namespace", "Age"];
    for (const title of this.#titles) {
      const cell = element("th", kind(title), title);
      cell.scope = "col";
      head.append(cell);
    }
    this.#body = table.createTBody();
    this.#nothing = element("p", "nothing", "waiting for the first list …");
    scroll.append(table, this.#nothing);
    section.append(heading, scroll);
    parent.append(section);
  }

  clear() {
    this.#rows.clear();
    this.#shown = [];
    this.#body.replaceChildren();
    this.#nothing.textContent = "waiting for the first list …";
    this.#tell();
  }

  synced() {
    this.#nothing.textContent = "nothing to show";
    this.#tell();
  }

  /** @param why the rows may be out of date, in words; empty if they are current */
  stale(why) {
    set(this.#note, why);
    this.#section.classList.toggle("stale", why !== "");
  }

  /** Shows a row, anew or changed; one that is news flashes. */
  put(key, row, news) {
    const place = this.#newestFirst ? `${String(9e15 - row.created)} ${key}` : key;
    const known = this.#rows.get(key);
    const entry = known ?? { key };
    entry.row = row;
    if (entry.place !== place) {
      if (entry.line) {
        this.#shown.splice(this.#at(entry.place), 1);
      }
      entry.place = place;
      this.#rows.set(key, entry);
      this.#show(entry);
    }
    if (entry.line) {
      this.#fill(entry.line, row);
      if (news) {
        flash(entry.line);
      }
    }
    this.#tell();
  }

  /** Removes a row with an animation. */
  remove(key) {
    const entry = this.#rows.get(key);
    if (!entry) {
      return;
    }
    this.#rows.delete(key);
    if (entry.line) {
      const line = entry.line;
      this.#shown.splice(this.#at(entry.place), 1);
      delete line.dataset.key;
      line.className = "leaving";
      setTimeout(() => line.remove(), 700);
    }
    this.#tell();
  }

  /** Updates the ages, and gives lines to further rows while there is room. */
  tick() {
    if (this.#shown.length < MOST && this.#shown.length < this.#rows.size) {
      const waiting = [...this.#rows.values()].filter(entry => !entry.line).sort((one, other) => one.place < other.place ? -1 : 1);
      waiting.slice(0, MOST - this.#shown.length).forEach(entry => this.#insert(entry));
      this.#tell();
    }
    for (const { line, row } of this.#shown) {
      set(line.cells[line.cells.length - 1], age(row.created));
    }
  }

  /** Gives the row a line, unless other rows have none and its place is after the last line. */
  #show(entry) {
    const last = this.#shown[this.#shown.length - 1];
    const others = this.#rows.size - 1 - this.#shown.length; // without a line
    if (others > 0 && !(last && entry.place < last.place)) {
      this.#hide(entry);
      return;
    }
    this.#insert(entry);
    if (this.#shown.length > MOST) {
      this.#hide(this.#shown.pop());
    }
  }

  #hide(entry) {
    entry.line?.remove();
    entry.line = undefined;
  }

  #insert(entry) {
    if (!entry.line) {
      entry.line = this.#line();
      entry.line.dataset.key = entry.key;
      this.#fill(entry.line, entry.row);
    }
    const at = this.#at(entry.place);
    this.#body.insertBefore(entry.line, this.#shown[at]?.line ?? null);
    this.#shown.splice(at, 0, entry);
  }

  /** The index of a row among the shown ones, or where it would be. */
  #at(place) {
    let low = 0;
    let high = this.#shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#shown[middle].place < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #line() {
    const line = document.createElement("tr");
    this.#titles.forEach((title, i) => line.append(element("td", `${kind(title)}${toned(this.#titles, i) ? " tone" : ""}`)));
    return line;
  }

  #fill(line, row) {
    let next = 0;
    this.#titles.forEach((title, i) => set(line.cells[i], title === "Name" ? row.name : title === "Namespace" ? row.namespace ?? ""
        : title === "Age" || title === "Seen" ? age(row.created) : row.cells[next++]));
    line.title = Object.entries(row.labels).map(([name, value]) => `${name}=${value}`).join("\n");
    line.dataset.tone = row.tone;
    line.classList.remove("GOOD", "BUSY", "BAD", "OVER");
    line.classList.add(row.tone);
  }

  #tell() {
    const all = this.#rows.size;
    set(this.#count, all > MOST ? `${all}, of which the first ${MOST} are shown; filter to see others` : String(all));
    this.#nothing.hidden = this.#rows.size > 0;
  }
}

/** The colour is on the state; without a state, on the first cell that shows it. */
function toned(titles, i) {
  const state = titles.findIndex(title => TONED.has(title));
  return i === (state >= 0 ? state : titles.indexOf("Ready"));
}

function kind(title) {
  const minor = MINOR.has(title) ? " minor" : "";
  switch (title) {
    case "Name": return "name";
    case "Namespace": return "namespace minor";
    case "Age": case "Seen": return "number age";
    case "Message": return "message";
    case "Image": return "image minor";
    default: return (NUMBERS.has(title) ? "number" : "") + minor;
  }
}

function age(created) {
  const seconds = Math.max(0, Math.floor((Date.now() - created) / 1000));
  if (!created) {
    return "";
  }
  return seconds < 120 ? `${seconds}s` : seconds < 7200 ? `${Math.floor(seconds / 60)}m`
      : seconds < 172800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86400)}d`;
}

function flash(line) {
  line.classList.remove("flash");
  void line.offsetWidth; // begins the animation anew
  line.classList.add("flash");
}

function set(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
