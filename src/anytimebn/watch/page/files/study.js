// The runs of a study, to choose one from.
import { byId, element, setText } from "./elements.js";

export class Study {
  constructor(show) {
    this.show = show;
    this.chosen = null;
  }

  take({ runs, missing, unreadable }) {
    byId("study").hidden = false;
    byId("main").classList.add("has-study");
    const words = [`${runs.length} ended`];
    if (missing) words.push(`${missing} still to come`);
    if (unreadable) words.push(`${unreadable} cannot be read`);
    setText(byId("study-words"), words.join(", "));
    const entries = [];
    let data;
    for (const run of [...runs].sort((a, b) => a.data.localeCompare(b.data, "en", { numeric: true }) || a.label.localeCompare(b.label))) {
      if (run.data !== data) entries.push(element("li", { className: "group-name", text: run.data }));
      data = run.data;
      const facts = [run.is_closed ? "optimal" : run.gap ? `at most ${run.gap}` : run.status, run.seconds].filter(Boolean);
      entries.push(element("li", {}, element("button", {
        type: "button", title: run.words, className: run.key === this.chosen ? "now" : "", onclick: () => this.open(run.key),
      }, element("span", { text: run.label }), element("span", { className: run.failed ? "failed" : "soft", text: facts.join(" · ") }))));
      entries.at(-1).run = run.key;
    }
    byId("runs").replaceChildren(...entries);
    const first = runs.find((run) => run.has_network) ?? runs[0];
    if (this.chosen === null && first) this.open(first.key);
  }

  async open(key) {
    this.chosen = key;
    for (const entry of byId("runs").children) entry.firstElementChild?.classList.toggle("now", entry.run === key);
    const answer = await fetch(`run?key=${encodeURIComponent(key)}`);
    if (answer.ok && this.chosen === key) this.show(await answer.json());
  }
}
