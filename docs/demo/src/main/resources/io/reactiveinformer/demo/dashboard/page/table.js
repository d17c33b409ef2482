// One table. All that is shown is text; nothing that comes from a cluster becomes markup.

const MINOR = new Set(["Node", "Restarts", "Version", "Updated", "Count", "Object"]);
const NUMBERS = new Set(["Ready", "Restarts", "Updated", "Succeeded", "Failed", "Count"]);
const TONED = new Set(["Status", "Reason"]);

export class Table {
  #rows = new Map(); // by key: what is shown of it
  #titles;
  #newestFirst;
  #body;
  #count;
  #nothing;

  constructor({ name, columns }, parent) {
    this.#newestFirst = name === "Events" || name === "Jobs";
    const section = element("section", `card ${name.toLowerCase()}`);
    section.setAttribute("aria-label", name);
    const heading = element("h2", "", name);
    this.#count = element("span", "", "…");
    heading.append(this.#count);
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
    this.#body.replaceChildren();
    this.#nothing.textContent = "waiting for the first list …";
    this.#tell();
  }

  synced() {
    this.#nothing.textContent = "nothing to show";
    this.#tell();
  }

  /** Shows a row, anew or changed; one that is news flashes. */
  put(key, row, news) {
    let line = this.#rows.get(key);
    if (!line) {
      line = this.#line(row);
      line.place = this.#newestFirst ? `${String(9e15 - row.created)} ${key}` : key;
      line.dataset.key = key;
      this.#rows.set(key, line);
      this.#insert(line);
    } else if (this.#newestFirst && line.created !== row.created) {
      line.place = `${String(9e15 - row.created)} ${key}`;
      this.#insert(line);
    }
    this.#fill(line, row);
    if (news) {
      flash(line);
    }
    this.#tell();
  }

  /** Takes a row away, so that one sees it go. */
  remove(key) {
    const line = this.#rows.get(key);
    if (line) {
      this.#rows.delete(key);
      delete line.dataset.key;
      line.className = "leaving";
      setTimeout(() => line.remove(), 700);
      this.#tell();
    }
  }

  /** Lets ages grow. */
  tick() {
    for (const line of this.#rows.values()) {
      set(line.cells[line.cells.length - 1], age(line.created));
    }
  }

  #line(row) {
    const line = document.createElement("tr");
    this.#titles.forEach((title, i) => line.append(element("td", `${kind(title)}${toned(this.#titles, i) ? " tone" : ""}`)));
    return line;
  }

  #fill(line, row) {
    let next = 0;
    this.#titles.forEach((title, i) => set(line.cells[i], title === "Name" ? row.name : title === "Namespace" ? row.namespace ?? ""
        : title === "Age" || title === "Seen" ? age(row.created) : row.cells[next++]));
    line.created = row.created;
    line.title = Object.entries(row.labels).map(([name, value]) => `${name}=${value}`).join("\n");
    line.dataset.tone = row.tone;
    line.classList.remove("GOOD", "BUSY", "BAD", "OVER");
    line.classList.add(row.tone);
  }

  #insert(line) {
    line.remove();
    const lines = this.#body.rows;
    let low = 0;
    let high = lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[middle].place < line.place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.#body.insertBefore(line, lines[low] ?? null);
  }

  #tell() {
    set(this.#count, String(this.#rows.size));
    this.#nothing.hidden = this.#rows.size > 0;
  }
}

/** The state has the colour; where there is no state, what says it first. */
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
    case "Image": return "image minor";
