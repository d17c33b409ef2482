// Puts the page together: what the stream tells goes to the tables, the timeline and the cards; what the user does goes back.
import { open } from "./stream.js";
import { Table } from "./table.js";
import { Timeline } from "./timeline.js";
import { showBrowsers, showInformers } from "./cards.js";

const at = id => document.getElementById(id);
const tables = new Map();
const namespaces = new Set();
const timeline = new Timeline(at("timeline"));
const faults = [...document.querySelectorAll("[data-fault]")];
let self = "";
let received = 0;
let close = () => {};

const handlers = {
  hello({ browser, cluster, tables: headings, faults: known }) {
    self = browser;
    at("cluster").textContent = `${cluster} · this is ${browser}`;
    at("faults").hidden = known.length === 0;
    if (tables.size === 0) {
      for (const heading of headings) {
        tables.set(heading.name, new Table(heading, at("tables")));
      }
    }
    tables.forEach(table => table.clear());
    connected(true);
  },
  row(message) {
    received += message.initial ? 0 : 1;
    offerNamespace(message.row.namespace);
    tables.get(message.table).put(message.key, message.row, !message.initial);
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
    received = 0;
    showInformers(at("informers"), pulse.informers);
    showBrowsers(at("browsers").tBodies[0], pulse.browsers, self);
    showPause(pulse.paused);
    tables.forEach(table => table.tick());
  },
  away() {
    connected(false);
  },
  refused(why) {
    at("refusal").textContent = why;
    connected(false);
  },
};

function connected(yes) {
  document.body.classList.toggle("connected", yes);
  document.body.classList.toggle("away", !yes);
}

function offerNamespace(namespace) {
  if (namespace && !namespaces.has(namespace)) {
    namespaces.add(namespace);
    const option = new Option(namespace, namespace);
    const next = [...at("namespace").options].slice(1).find(other => other.value > namespace);
    at("namespace").add(option, next ?? null);
  }
}

function reopen() {
  close();
  at("refusal").textContent = "";
  const wish = new URLSearchParams();
  for (const [name, value] of [["namespace", at("namespace").value], ["labels", at("labels").value.trim()], ["slow", at("slow").checked ? "true" : ""]]) {
    if (value) {
      wish.set(name, value);
    }
  }
  close = open(wish, handlers);
}

function showPause(paused) {
  const button = faults.find(each => each.dataset.fault === "pause" || each.dataset.fault === "resume");
  button.dataset.fault = paused ? "resume" : "pause";
  button.classList.toggle("on", paused);
  button.querySelector("b").textContent = paused ? "Resume" : "Pause";
  button.querySelector("span").textContent = paused ? "nobody is let in at present" : "nobody is let in, until you resume";
}

for (const button of faults) {
  button.addEventListener("click", async () => {
    const fault = button.dataset.fault;
    const answer = await fetch(`/faults/${fault}`, { method: "POST" }).catch(() => null);
    at("outcome").textContent = answer?.ok ? `${fault}: done at ${new Date().toLocaleTimeString()}` : `${fault}: refused`;
  });
}
at("filters").addEventListener("submit", event => event.preventDefault());
at("filters").addEventListener("change", reopen);
document.addEventListener("keydown", event => {
  if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    at("labels").focus();
  }
});
reopen();
