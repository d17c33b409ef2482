// What is not normal, counted: first the informers that are not current, with the full cause and the next try; then objects, by their state.
import { nextTry } from "./cards.js";

/** Most names in one line. */
const NAMED = 3;

export function showProblems(count, list, informers, tables) {
  const lines = [...ofInformers(informers), ...ofRows(tables)];
  const all = lines.reduce((sum, line) => sum + line.count, 0);
  set(count, all === 0 ? "none" : String(all));
  count.parentElement.classList.toggle("some", all > 0);
  while (list.children.length > lines.length) {
    list.lastElementChild.remove();
  }
  lines.forEach((line, i) => {
    const item = list.children[i] ?? list.appendChild(document.createElement("li"));
    if (item.children.length === 0) {
      item.append(document.createElement("b"), document.createElement("span"));
    }
    set(item.firstChild, line.what);
    set(item.lastChild, line.more);
  });
}

/** Informers with the same state and the same cause are one line. One that was stopped by the program has no cause, and is no problem; nor is an optional one. */
function ofInformers(informers) {
  const groups = new Map();
  for (const informer of informers.filter(isProblem)) {
    const key = `${informer.state} ${informer.cause}`;
    groups.set(key, [...groups.get(key) ?? [], informer]);
  }
  const lines = [...groups.values()].map(group => {
    const first = group.reduce((one, other) => (other.retry ?? Infinity) < (one.retry ?? Infinity) ? other : one);
    const stale = Math.max(...group.map(each => each.stale ?? 0));
    const age = group.every(each => each.synced) ? `Rows may be ${stale} s old.` : `Rows are awaited for ${stale} s.`;
    const next = nextTry(first);
    return { count: group.length, what: `${group[0].state}: ${group.length} ${group.length === 1 ? "informer" : "informers"}`,
      more: [` (${group.map(each => each.table).join(", ")}).`, sentence(group[0].cause), age, next && `Next: ${next}.`].filter(part => part).join(" ") };
  });
  const unreadable = informers.filter(each => each.unreadable > 0).map(each => ({ count: each.unreadable,
    what: `Unreadable: ${each.unreadable}`, more: ` in ${each.table}; an older state is shown, or none.` }));
  return [...lines, ...unreadable];
}

function isProblem(informer) {
  return !informer.optional && (informer.state === "STOPPED" ? informer.cause !== null : informer.state === "DISRUPTED" || informer.stale !== null);
}

function sentence(text) {
  return !text ? "" : /[.!?]$/.test(text) ? text : `${text}.`;
}

function ofRows(tables) {
  return [...tables].flatMap(([name, table]) => [...table.problems()].map(([state, names]) => ({ count: names.length,
    what: `${state}: ${names.length}`,
    more: ` in ${name} (${names.sort().slice(0, NAMED).join(", ")}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ""})` })))
      .sort((one, other) => other.count - one.count);
}

function set(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}
