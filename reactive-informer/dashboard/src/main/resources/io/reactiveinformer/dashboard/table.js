// One table. Everything is shown as text; nothing from a cluster becomes markup.

const MINOR = new Set(["Node", "Restarts", "Version", "Updated", "Count", "Failed"]);
const NUMBERS = new Set(["Ready", "Restarts", "Updated", "Succeeded", "Failed", "Count"]);
const TONED = new Set(["Status", "Reason"]);

/** Most lines: a reader does not need more, and a browser is slow with them. */
const MOST = 500;

export class Table {
  #rows = new Map(); // by key: the message of the row, where it is sorted to, whether it matches the search, and its line if it has one
  #shown = []; // those with a line, in order
  #matching = 0;
  #kind;
  #titles;
  #sorted = null; // the index of the title by which the user sorts; null for problems first
  #down = false;
  #where = { namespace: "", labels: "", search: "" };
  #complete = false;
  #heads;
  #body;
  #section;
  #count;
  #note;
  #nothing;

  /** @param open called with the key of an object that the user wants to see */
  constructor({ name, kind, columns }, parent, open) {
    this.#kind = kind;
    const section = this.#section = element("section", `card ${kind}`);
    section.setAttribute("aria-label", name);
    const heading = element("h2", "", name);
    this.#count = element("span", "", "…");
    this.#note = element("span", "note");
    heading.append(this.#count, this.#note);
    const scroll = element("div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", `Rows of ${name}`);
    scroll.setAttribute("aria-description", "The arrow keys move between the rows, Enter shows an object.");
    scroll.addEventListener("keydown", event => this.#move(event, scroll));
    const table = element("table");
    const head = table.createTHead().insertRow();
    this.#titles = kind === "events" ? [...columns, "Namespace", "Seen"]
        : kind === "nodes" ? ["Name", ...columns, "Age"] : ["Name", ...columns, "Namespace", "Age"];
    this.#heads = this.#titles.map((title, i) => {
      const cell = element("th", `${kindOf(title)}${toned(this.#titles, i) ? " tone" : ""}`);
      cell.scope = "col";
      const sorts = element("button", "sorts", title);
      sorts.type = "button";
      sorts.addEventListener("click", () => this.#sortBy(i));
      cell.append(sorts);
      head.append(cell);
      return cell;
    });
    this.#body = table.createTBody();
    this.#body.addEventListener("click", event => {
      const key = event.target.closest("button")?.closest("tr").dataset.key;
      if (key) {
        open(key);
      }
    });
    this.#nothing = element("p", "nothing");
    scroll.append(table, this.#nothing);
    section.append(heading, scroll);
    parent.append(section);
    this.#tell();
  }

  close() {
    this.#section.remove();
  }

  clear() {
    this.#rows.clear();
    this.#shown = [];
    this.#matching = 0;
    this.#complete = false;
    this.#body.replaceChildren();
    this.#tell();
  }

  synced() {
    this.#complete = true;
    this.#tell();
  }

  /** @param why the rows may be out of date, in words; empty if they are current */
  stale(why) {
    set(this.#note, why);
    this.#section.classList.toggle("stale", why !== "");
  }

  /** Shows only the rows in which the search is found. The server selects by namespace and labels, which an empty table names. */
  filter(where) {
    Object.assign(this.#where, where);
    this.#arrange();
  }

  /** The names of the rows with a problem, by their state. Events are no states. */
  problems() {
    const found = new Map();
    if (this.#kind !== "events") {
      const at = this.#titles.findIndex((title, i) => toned(this.#titles, i)) - 1; // the name comes before the cells
      for (const { key, row } of this.#rows.values()) {
        if (row.tone === "BAD") {
          const state = this.#titles[at + 1] === "Ready" ? `${row.cells[at]} ready` : row.cells[at];
          const keys = found.get(state) ?? [];
          keys.push(key);
          found.set(state, keys);
        }
      }
    }
    return found;
  }

  /** Shows a row, anew or changed; one that is news flashes. */
  put({ key, namespace, name, row }, news) {
    const entry = this.#rows.get(key) ?? { key, matches: false };
    this.#rows.set(key, entry);
    const before = entry.place;
    const place = this.#place(key, row);
    const matches = this.#finds(namespace, name, row);
    const moves = !before || before.join("\n") !== place.join("\n");
    if (entry.matches && entry.line && (moves || !matches)) {
      this.#shown.splice(this.#at(before), 1);
    }
    this.#matching += (matches ? 1 : 0) - (entry.matches ? 1 : 0);
    const appears = matches && (!entry.matches || moves);
    Object.assign(entry, { namespace, name, row, place, matches });
    if (!matches) {
      this.#hide(entry);
    } else if (appears) {
      this.#show(entry);
    }
    if (entry.line) {
      this.#fill(entry);
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
    this.#matching -= entry.matches ? 1 : 0;
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
    if (this.#shown.length < MOST && this.#shown.length < this.#matching) {
      this.#fillUp();
    }
    for (const { line, row } of this.#shown) {
      set(line.cells[line.cells.length - 1], age(row.created));
    }
  }

  #fillUp() {
    const waiting = [...this.#rows.values()].filter(entry => entry.matches && !entry.line).sort((one, other) => this.#compare(one.place, other.place));
    waiting.slice(0, MOST - this.#shown.length).forEach(entry => this.#insert(entry));
    this.#tell();
  }

  /** Sorts and searches all rows anew. */
  #arrange() {
    this.#shown = [];
    this.#matching = 0;
    for (const entry of this.#rows.values()) {
      entry.place = this.#place(entry.key, entry.row);
      entry.matches = this.#finds(entry.namespace, entry.name, entry.row);
      this.#matching += entry.matches ? 1 : 0;
      this.#hide(entry);
    }
    this.#fillUp();
  }

  /** Up, down, and then problems first again. */
  #sortBy(title) {
    const again = this.#sorted === title;
    this.#sorted = again && this.#down ? null : title;
    this.#down = again && !this.#down;
    this.#heads.forEach((head, i) => i === this.#sorted ? head.setAttribute("aria-sort", this.#down ? "descending" : "ascending")
        : head.removeAttribute("aria-sort"));
    this.#arrange();
  }

  /** What a row is sorted by. */
  #place(key, row) {
    if (this.#sorted === null) {
      const newestFirst = this.#kind === "events" || this.#kind === "jobs";
      return [this.#kind !== "events" && row.tone === "BAD" ? 0 : 1, newestFirst ? -row.created : 0, key];
    }
    const title = this.#titles[this.#sorted];
    const text = this.#text(title, key, row);
    const value = title === "Age" || title === "Seen" ? -row.created : NUMBERS.has(title) ? Number.parseFloat(text) || 0 : text.toLowerCase();
    return [0, value, key];
  }

  #compare(one, other) {
    return compare(one[0], other[0]) || (this.#down ? -1 : 1) * compare(one[1], other[1]) || compare(one[2], other[2]);
  }

  #finds(namespace, name, row) {
    const search = this.#where.search.toLowerCase();
    return !search || [namespace ?? "", name, ...row.cells].some(text => text.toLowerCase().includes(search));
  }

  /** Gives the row a line, unless other rows have none and its place is after the last line. */
  #show(entry) {
    const last = this.#shown[this.#shown.length - 1];
    const others = this.#matching - 1 - this.#shown.length; // without a line
    if (others > 0 && !(last && this.#compare(entry.place, last.place) < 0)) {
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
      this.#fill(entry);
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
      if (this.#compare(this.#shown[middle].place, place) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #line() {
    const line = document.createElement("tr");
    this.#titles.forEach((title, i) => line.append(element("td", `${kindOf(title)}${toned(this.#titles, i) ? " tone" : ""}`)));
    const opens = element("button", "opens");
    opens.type = "button";
    opens.tabIndex = -1; // the arrow keys lead there; hundreds of rows are no stops for Tab
    line.cells[0].append(opens);
    return line;
  }

  #move(event, scroll) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const lines = [...this.#body.querySelectorAll("tr[data-key]")];
      const at = lines.indexOf(document.activeElement.closest("tr"));
      const next = lines[at + step]?.querySelector("button") ?? (at + step < 0 ? scroll : null);
      event.preventDefault();
      next?.focus();
    }
  }

  #text(title, key, row) {
    switch (title) {
      case "Name": return key.slice(key.indexOf("/") + 1);
      case "Namespace": return key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
      case "Age": case "Seen": return age(row.created);
      default: return row.cells[this.#titles.indexOf(title) - (this.#titles[0] === "Name" ? 1 : 0)];
    }
  }

  #fill({ key, line, row }) {
    this.#titles.forEach((title, i) => set(i === 0 ? line.cells[0].firstChild : line.cells[i], this.#text(title, key, row)));
    line.title = Object.entries(row.labels).map(([name, value]) => `${name}=${value}`).join("\n");
    line.dataset.tone = row.tone;
    line.classList.remove("GOOD", "BUSY", "BAD", "OVER");
    line.classList.add(row.tone);
  }

  #tell() {
    const all = this.#matching;
    set(this.#count, all > MOST ? `${all}, of which the first ${MOST} are shown; filter to see others` : String(all));
    const { namespace, labels, search } = this.#where;
    set(this.#nothing, !this.#complete ? "waiting for the first list …" : [`no ${this.#kind || "rows"}`, namespace && `in namespace ${namespace}`,
      labels && `with labels ${labels}`, search && `that match “${search}”`].filter(part => part).join(" "));
    this.#nothing.hidden = all > 0;
  }
}

function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The colour is on the state; without a state, on the first cell that shows it. */
function toned(titles, i) {
  const state = titles.findIndex(title => TONED.has(title));
  return i === (state >= 0 ? state : titles.indexOf("Ready"));
}

function kindOf(title) {
  const minor = MINOR.has(title) ? " minor" : "";
  switch (title) {
    case "Name": return "name";
    case "Namespace": return "namespace minor";
    case "Age": case "Seen": return "number age";
    case "Message": return "message";
    case "Image": return "image minor";
    case "Object": return "object minor";
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
