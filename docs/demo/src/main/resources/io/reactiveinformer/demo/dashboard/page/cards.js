// How the informers and the browsers stand, once a second.

export function showInformers(parent, informers) {
  informers.forEach((informer, i) => {
    const card = parent.children[i] ?? parent.appendChild(newCard());
    card.className = `card informer ${informer.state}`;
    card.dataset.table = informer.table;
    const [name, state, facts, cause] = ["h2", ".state", ".facts", ".cause"].map(each => card.querySelector(each));
    set(name, informer.table);
    set(state, informer.state);
    set(facts, `${informer.objects} objects · ${informer.relists} relists · ${informer.resumes} resumes`);
    const trouble = [informer.stale > 0 ? `stale for ${informer.stale}s` : "", informer.attempt > 0 ? `try ${informer.attempt + 1}` : "", informer.cause ?? ""];
    set(cause, trouble.filter(part => part).join(" · "));
    cause.title = cause.textContent;
  });
}

function newCard() {
  const card = document.createElement("article");
  const head = document.createElement("header");
  head.append(document.createElement("h2"), paragraph("state"));
  card.append(head, paragraph("facts"), paragraph("cause"));
  return card;
}

function paragraph(name) {
  const made = document.createElement("p");
  made.className = name;
  return made;
}

export function showBrowsers(body, browsers, self) {
  while (body.rows.length > browsers.length) {
    body.deleteRow(-1);
  }
  browsers.forEach((browser, i) => {
    const line = body.rows[i] ?? newLine(body);
    line.className = browser.name === self ? "you" : "";
    line.dataset.browser = browser.name;
    set(line.cells[0].firstChild, browser.name);
    set(line.cells[0].lastChild, [browser.name === self ? "this page" : "", browser.slow ? "slow" : "", browser.filter].filter(part => part).join(" · "));
    [browser.backlog, browser.told, browser.folded].forEach((count, k) => set(line.cells[k + 1], String(count)));
  });
}

function newLine(body) {
  const line = body.insertRow();
  const name = line.insertCell();
  const tag = document.createElement("span");
  tag.className = "tag";
  name.append(document.createElement("span"), tag);
  for (let i = 0; i < 3; i++) {
    line.insertCell().className = "number";
  }
  return line;
}

function set(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}
