// The status of the informers and the browsers, once a second.

export function showInformers(parent, informers) {
  while (parent.children.length > informers.length) {
    parent.lastElementChild.remove();
  }
  informers.forEach((informer, i) => {
    const card = parent.children[i] ?? parent.appendChild(newCard());
    card.className = `card informer ${informer.state}${informer.optional ? " optional" : ""}`;
    card.dataset.table = informer.table;
    const [name, state, scope, facts, cause] = ["h3", ".state", ".scope", ".facts", ".cause"].map(each => card.querySelector(each));
    set(name, informer.table);
    set(state, informer.optional ? `${informer.state} · optional` : informer.state);
    set(facts, `${informer.objects} objects · ${informer.relists} relists · ${informer.resumes} resumes`);
    set(scope, informer.description);
    const full = informer.optional ? informer.cause : null; // of others it is among the problems
    set(cause, [staleness(informer), nextTry(informer), full].filter(part => part).join(" · "));
  });
}

/** For how long the rows may have been out of date; empty if they are complete and current. */
export function staleness(informer) {
  return informer.stale === null ? "" : informer.synced ? `stale for ${informer.stale} s` : `waiting for the first list for ${informer.stale} s`;
}

/** The next attempt after a failure, in words; empty if none is scheduled. */
export function nextTry(informer) {
  return informer.retry === null ? "" : `try ${informer.attempt + 1} ${informer.retry === 0 ? "now" : `in ${informer.retry} s`}`;
}

/** The number of informers that are live, in words. An optional one counts only if it is. */
export function summary(informers) {
  const live = informers.filter(informer => informer.state === "LIVE").length;
  const all = informers.filter(informer => informer.state === "LIVE" || !informer.optional).length;
  if (all === 0 && informers.length > 0) {
    return "all are optional, none is live";
  }
  return live === all ? `all ${all} are live` : live === 0 ? `none of ${all} is live` : `${live} of ${all} are live`;
}

/** Shows all informers as unknown: their last status is no longer current. */
export function forgetInformers(parent, time) {
  for (const card of parent.querySelectorAll(".informer:not(.UNKNOWN)")) {
    const state = card.querySelector(".state");
    set(card.querySelector(".cause"), `was ${state.textContent} at ${time}`);
    set(state, "UNKNOWN");
    card.className = "card informer UNKNOWN";
  }
}

function newCard() {
  const card = document.createElement("article");
  const head = document.createElement("header");
  head.append(document.createElement("h3"), paragraph("state"));
  card.append(head, paragraph("scope"), paragraph("facts"), paragraph("cause"));
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
    [browser.backlog, browser.emitted, browser.conflated].forEach((count, k) => set(line.cells[k + 1], String(count)));
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
