// Connects the parts of the page: messages of the stream go to the tables, the timeline and the cards; actions of the user go to the server.
import { Connection } from "./connection.js";
import { Table } from "./table.js";
import { Timeline } from "./timeline.js";
import { Details } from "./details.js";
import { showProblems } from "./problems.js";
import { forgetInformers, showBrowsers, showInformers, staleness, summary } from "./cards.js";

/** The longest wait for an answer. */
const ANSWER = 10_000;

const at = id => document.getElementById(id);
const tables = new Map();
const namespaces = new Set();
const timeline = new Timeline(at("timeline"), at("most"), at("marks"), at("happenings"));
const faults = [...document.querySelectorAll("[data-fault]")];
let self = "";
let received = 0;
let lost = false;
let asked = ""; // the label selector of the requested rows
let shown = ""; // the label selector of the shown rows

const handlers = {
  hello({ browser, title, tables: headings, faults: known }) {
    self = browser;
    at("title").textContent = `${title} · this is ${browser}`;
    at("faults").hidden = known.length === 0;
    for (const [name, table] of tables) {
      if (!headings.some(heading => heading.name === name)) {
        table.close();
        tables.delete(name);
      }
    }
    for (const heading of headings) {
      if (!tables.has(heading.name)) {
        tables.set(heading.name, new Table(heading, at("tables"), key => details.open(heading.name, key)));
      }
    }
    shown = asked;
    tables.forEach(table => {
      table.clear();
      table.filter({ namespace: at("namespace").value, labels: shown, search: at("search").value.trim() });
    });
  },
  row(message) {
    received += message.initial ? 0 : 1;
    offerNamespace(message.namespace);
    tables.get(message.table).put(message, !message.initial);
  },
  gone(message) {
    received++;
    tables.get(message.table).remove(message.key);
  },
  synced(message) {
    tables.get(message.table).synced();
  },
  pulse(pulse) {
    at("happened").textContent = pulse.changes;
    at("received").textContent = received;
    timeline.add(pulse.changes, received);
    timeline.mark(pulse.marks);
    received = 0;
    showInformers(at("informers"), pulse.informers);
    at("hearing").textContent = summary(pulse.informers);
    pulse.informers.forEach(informer => tables.get(informer.table)?.stale(staleness(informer)));
    showBrowsers(at("browsers").tBodies[0], pulse.browsers, self);
    showPause(pulse.faults.includes("resume"));
    tables.forEach(table => table.tick());
    showProblems(at("problem-count"), at("problem-list"), pulse.informers, tables);
  },
  connected(silence) {
    const time = new Date().toLocaleTimeString();
    tell("connected", lost ? `Connected to the dashboard's server again since ${time}, after ${seconds(silence)} without it.`
        : `Connected to the dashboard's server since ${time}.`, "");
    lost = false;
  },
  away(time, silence, reason) {
    lost = true;
    const then = new Date(time).toLocaleTimeString();
    tell("away", `Nothing received from the dashboard's server since ${then}.`, `That was ${seconds(silence)} ago; the page shows the state of that time. ${reason || "Trying again …"}`);
    at("problem-count").textContent = "not known";
    for (const count of ["happened", "received"]) {
      at(count).textContent = "–";
    }
    received = 0;
    timeline.addUnknown();
    at("hearing").textContent = "not known: the dashboard's server does not answer";
    forgetInformers(at("informers"), then);
    tables.forEach(table => table.stale(`as of ${then}`));
  },
  refused(why) {
    at("labels").setAttribute("aria-invalid", "true");
    const instead = shown === asked ? "" : shown;
    at("refusal").textContent = `${why}. Shown are the rows ${instead ? `with ${instead}` : "with any labels"}.`;
    if (asked) {
      ask(instead);
    }
  },
};

/** Writes the line at the top. Its second part changes each second, and is hidden from screen readers. */
function tell(state, words, more) {
  document.body.className = state;
  document.title = state === "connected" ? "reactive-informer" : "no answer · reactive-informer";
  for (const [id, text] of [["hears", words], ["since", more]]) {
    if (at(id).textContent !== text) {
      at(id).textContent = text;
    }
  }
}

function seconds(millis) {
  return `${Math.round(millis / 1000)} s`;
}

function offerNamespace(namespace) {
  if (namespace && !namespaces.has(namespace)) {
    namespaces.add(namespace);
    const option = new Option(namespace, namespace);
    const next = [...at("namespace").options].slice(1).find(other => other.value > namespace);
    at("namespace").add(option, next ?? null);
  }
}

const details = new Details(at("details"), at("details-title"), at("yaml"), at("close"));
const connection = new Connection(handlers);

function askAnew() {
  at("refusal").textContent = "";
  at("labels").removeAttribute("aria-invalid");
  ask(at("labels").value.trim());
}

function ask(labels) {
  asked = labels;
  const wish = new URLSearchParams();
  for (const [name, value] of [["namespace", at("namespace").value], ["labels", labels], ["slow", at("slow").checked ? "true" : ""]]) {
    if (value) {
      wish.set(name, value);
    }
  }
  connection.ask(wish);
}

function showPause(paused) {
  const button = faults.find(each => each.dataset.fault === "pause" || each.dataset.fault === "resume");
  button.dataset.fault = paused ? "resume" : "pause";
  button.classList.toggle("on", paused);
  button.querySelector("b").textContent = paused ? "Resume" : "Pause";
  button.querySelector("span").textContent = paused ? "all connections are refused now" : "all connections are refused, until you resume";
}

for (const button of faults) {
  button.addEventListener("click", async () => {
    const fault = button.dataset.fault;
    at("outcome").textContent = `${fault}: asking for it …`;
    const answer = await fetch(`faults/${fault}`, { method: "POST", signal: AbortSignal.timeout(ANSWER) }).catch(() => null);
    const outcome = answer?.ok ? "done" : answer ? `refused with ${answer.status}` : "no answer from the dashboard's server, so it may or may not have happened,";
    at("outcome").textContent = `${fault}: ${outcome} at ${new Date().toLocaleTimeString()}`;
  });
}
at("filters").addEventListener("submit", event => event.preventDefault());
at("filters").addEventListener("change", event => event.target === at("search") || askAnew());
at("search").addEventListener("input", () => tables.forEach(table => table.filter({ search: at("search").value.trim() })));
document.addEventListener("keydown", event => {
  if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    at("labels").focus();
  }
});
askAnew();
