// What stands beside the network: how good it is, what is being done, parents, the chosen variable.
import { byId, element, setText } from "./elements.js";

let kind = "run"; // of what is shown

export function showSubject({ title, size, kind: shown, can_stop: canStop, is_stopping: isStopping }) {
  kind = shown;
  setText(byId("title"), title);
  setText(byId("size"), size);
  byId("changes").closest("label").hidden = kind === "result" || kind === "study";
  const stop = byId("stop");
  stop.hidden = !canStop;
  if (isStopping) { stop.disabled = true; setText(stop, "Stopping …"); }
}

export function showStatus(now) {
  const dot = byId("dot");
  dot.className = `dot ${now.state}`;
  byId("steps").replaceChildren(...(now.step === null ? [] : now.steps ?? []).map((step) =>
    element("li", { text: step, className: step === now.step ? "now" : "" })));
  setText(byId("doing"), now.state === "ended" && kind === "run"
    ? "The run has ended; this page works on with what it has." : now.doing);
  showQuality(now);
  setText(byId("facts-title"), now.state === "working" ? "What is being done" : "What was found");
  const saved = now.saved_at ? `saved ${new Date(now.saved_at * 1000).toLocaleString()}; ` : "";
  const isSaid = byId("gap-words").textContent === now.detail;
  setText(byId("detail"), saved + (isSaid ? "" : now.detail ?? ""));
  const bar = byId("fraction");
  bar.hidden = now.fraction === null || now.fraction === undefined;
  if (!bar.hidden) bar.value = now.fraction;
  byId("facts").replaceChildren(...Object.entries(now.facts ?? {}).map(([name, said]) =>
    element("div", { className: now.state !== "working" || name.length + said.length > 22 ? "wide" : "" },
      element("dt", { text: name }), element("dd", { text: said }))));
  const title = byId("title").textContent;
  document.title = `${now.is_closed ? "proven" : now.gap ?? "…"} · ${title} · anytimebn`;
}

function showQuality(now) {
  const gap = byId("gap"), words = byId("gap-words");
  const about = now.space ? `of ${now.space}` : "";
  gap.classList.toggle("closed", now.is_closed === true);
  gap.classList.toggle("unknown", !now.is_closed && now.gap === null);
  if (now.is_closed && now.state === "ended") {
    setText(gap, now.claim ?? "proven");
    setText(words, now.detail ?? "");
  } else if (now.is_closed) {
    setText(gap, "0 %");
    setText(words, `above the best network ${about}: proven`);
  } else if (now.gap) {
    setText(gap, `at most ${now.gap}`);
    setText(words, `above the best network ${about}`);
  } else {
    setText(gap, now.cost ? "no bound yet" : "no network yet");
    setText(words, now.cost ? "how good the network is, is not known" : "");
  }
  setText(byId("cost"), now.cost ?? "–");
  setText(byId("bound"), now.bound === "none" ? "–" : now.bound ?? "–");
}

export class ParentsTable {
  constructor(choose) {
    this.choose = choose;
    this.body = byId("parents");
    this.filter = byId("filter");
    this.rows = [];
    this.filter.addEventListener("input", () => this.sift());
  }

  setNetwork({ names, arcs, added, turned, lost }) {
    const parents = names.map(() => []);
    for (const [parent, child] of arcs) parents[child].push(parent);
    const changed = new Set([...added, ...turned, ...lost].map(([, child]) => child));
    this.rows = names.map((name, variable) => {
      const row = element("tr", { className: changed.has(variable) ? "changed" : "" },
        element("td", { text: name }),
        element("td", { className: parents[variable].length ? "" : "soft",
          text: parents[variable].map((parent) => names[parent]).join(", ") || "–" }));
      row.addEventListener("click", () => this.choose(variable, true));
      return row;
    });
    this.body.replaceChildren(...this.rows);
    byId("names").replaceChildren(...names.map((name) => element("option", { value: name })));
    this.sift();
  }

  sift() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const row of this.rows) row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
  }

  choice(variable) {
    this.rows.forEach((row, other) => row.classList.toggle("self", other === variable));
    const row = this.rows[variable], list = this.body.closest(".scroll");
    if (!row) return;
    // Only the table moves, not all that is around it.
    const above = row.offsetTop - list.scrollTop, below = above + row.offsetHeight - list.clientHeight;
    if (above < 0) list.scrollTop += above;
    else if (below > 0) list.scrollTop += below;
  }
}

export function showChosen(graph, variable, choose) {
  const panel = byId("chosen");
  panel.hidden = variable === null || !graph.network;
  if (panel.hidden) return;
  const { names } = graph.network, near = graph.blanket(variable);
  const close = element("button", { className: "plain close", type: "button", text: "✕", title: "Close", onclick: () => choose(null) });
  const list = (heading, kind, found) => found.size === 0 ? [] : [
    element("h4", { text: `${heading} (${found.size})` }),
    element("div", { className: `names ${kind}` }, ...[...found].sort((a, b) => a - b).map((other) =>
      element("button", { type: "button", text: names[other], title: names[other], onclick: () => choose(other, true) }))),
  ];
  const size = near.parents.size + near.children.size + near.spouses.size;
  panel.replaceChildren(close,
    element("h3", { text: names[variable] }),
    element("p", { className: "soft", text: size ? `Markov blanket of ${size}: given these, the rest tells nothing more about it` : "independent of all others" }),
    ...list("parents", "parent", near.parents),
    ...list("children", "child", near.children),
    ...list("other parents of its children", "spouse", near.spouses));
}

export function showLegend(graph) {
  const network = graph.network, said = [];
  const item = (kind, text) => said.push(element("span", {}, element("i", { className: kind }), text));
  if (network) {
    item("sample", graph.asClass ? "no arc must lead to it" : "no parents");
    if (network.arcs.some(([, , nats]) => nats !== null)) item("", "width: what is lost without the arc");
    if (graph.asClass && network.arcs.some(([, , , open]) => open)) item("", "no head: data cannot tell the direction");
    if (graph.showChanges) for (const kind of ["added", "turned", "lost"]) {
      if (network[kind].length) item(kind, `${kind}: ${network[kind].length}`);
    }
  }
  byId("legend").replaceChildren(...said);
}
