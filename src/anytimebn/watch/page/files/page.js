// Hears what the server tells, and keeps it: when the server has gone, all of this still works.
import { byId, save, setText } from "./elements.js";
import { Chart } from "./chart.js";
import { Graph } from "./graph.js";
import { ParentsTable, showChosen, showLegend, showStatus, showSubject } from "./panels.js";
import { Study } from "./study.js";

const SURE_SECONDS = 4;
const chart = new Chart(byId("chart"), byId("reading"));
const graph = new Graph(byId("canvas"), { choose });
const table = new ParentsTable(choose);
const study = new Study(showRun);
let subject = { kind: "run" }, files = {}, ended = false;

function choose(variable, alsoShow = false) {
  graph.choice(variable);
  table.choice(variable);
  showChosen(graph, variable, choose);
  if (alsoShow && variable !== null) graph.show(variable);
}

// ---- what is told ----

const heard = {
  subject(told) { subject = told; showSubject(told); },
  status(told) {
    showStatus(told);
    chart.until(told.seconds);
    chart.draw();
    if (told.state === "ended" && subject.kind === "run") byId("changes").checked = graph.showChanges = false;
  },
  points(told) { chart.take(told); chart.draw(); },
  study(told) { study.take(told); },
  network(told) {
    const same = graph.network && String(graph.network.names) === String(told.names);
    byId("no-network").hidden = true;
    graph.setNetwork(told);
    table.setNetwork(told);
    choose(same ? graph.chosen : null);
    showLegend(graph);
    offerFiles();
  },
  drawing(told) { graph.setDrawing(told); offerFiles(); },
  end(told) {
    files = told.files;
    offerFiles();
    if (subject.kind !== "run") return;
    ended = true;
    events.close();
    byId("stop").hidden = true;
    graph.showChanges = byId("changes").checked = false;
    graph.draw();
    showLegend(graph);
    notice("");
  },
};

function showRun(told) {
  chart.take(told.points);
  chart.end = 0;
  if (told.network) {
    heard.network(told.network);
    heard.drawing(told.drawing);
  } else {
    byId("no-network").hidden = false;
    byId("parents").replaceChildren();
    graph.arcs.replaceChildren();
    graph.boxes.replaceChildren();
    graph.network = graph.drawing = null;
    graph.boxOf = [];
    choose(null);
    showLegend(graph);
  }
  heard.status(told.status);
  offerFiles();
}

function notice(words) {
  byId("notice").hidden = !words;
  setText(byId("notice"), words);
}

const events = new EventSource("events");
for (const [kind, hear] of Object.entries(heard)) {
  events.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
}
events.addEventListener("open", () => { if (!ended) notice(""); });
events.addEventListener("error", () => {
  if (ended) return;
  byId("dot").className = "dot lost";
  notice(`The connection is lost since ${new Date().toLocaleTimeString()}: this is what was known then.`);
});

// ---- stop ----

const stop = byId("stop");
stop.addEventListener("click", async () => {
  if (!stop.classList.contains("sure")) { // once more: hours may have gone into it
    stop.classList.add("sure");
    setText(stop, "Stop now?");
    setTimeout(() => {
      if (stop.disabled) return;
      stop.classList.remove("sure");
      setText(stop, "Stop and keep the best");
    }, 1000 * SURE_SECONDS);
    return;
  }
  stop.disabled = true;
  setText(stop, "Stopping …");
  await fetch("stop", { method: "POST" });
});

// ---- files ----

function offerFiles() {
  const isKept = Object.keys(files).length > 0, known = graph.network !== null;
  byId("save-svg").disabled = !graph.drawing;
  byId("save-json").disabled = !known;
  byId("save-bif").disabled = !known || (isKept ? !files["network.bif"] : subject.kind !== "run");
  byId("save-bif").title = byId("save-bif").disabled ? "There are no probabilities" : "Save the network as BIF";
  byId("save-json").title = files["result.json"] ? "Save the whole result as JSON" : "Save the network as JSON";
  byId("save-svg").title = "Save the drawing as SVG";
}

async function keep(name, kind) {
  if (files[name]) { save(name, files[name], kind); return; }
  const asked = study.chosen === null ? name : `${name}?key=${encodeURIComponent(study.chosen)}`;
  const answer = await fetch(asked).catch(() => null);
  if (answer?.ok) save(name, await answer.text(), kind);
  else notice(`${name} cannot be had: ${answer ? "there are no probabilities" : "the connection is lost"}.`);
}
byId("save-bif").addEventListener("click", () => keep("network.bif", "text/plain"));
byId("save-json").addEventListener("click", () => keep(files["result.json"] ? "result.json" : "network.json", "application/json"));
byId("save-svg").addEventListener("click", () => save("network.svg", graph.toFile(), "image/svg+xml"));

// ---- how it is shown ----

byId("as-class").addEventListener("change", (event) => { graph.asClass = event.target.checked; graph.draw(); showLegend(graph); });
byId("changes").addEventListener("change", (event) => { graph.showChanges = event.target.checked; graph.draw(); showLegend(graph); });
byId("zoom-in").addEventListener("click", () => graph.zoom(1.3));
byId("zoom-out").addEventListener("click", () => graph.zoom(1 / 1.3));
byId("zoom-fit").addEventListener("click", () => graph.fit());
byId("time-scale").addEventListener("click", (event) => {
  chart.log = !chart.log;
  event.target.setAttribute("aria-pressed", chart.log);
  chart.draw();
});
byId("find").addEventListener("change", (event) => {
  const wanted = event.target.value.trim().toLowerCase(), names = graph.network?.names ?? [];
  const exact = names.findIndex((name) => name.toLowerCase() === wanted);
  const found = exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase().includes(wanted));
  if (wanted && found >= 0) choose(found, true);
});
