// The network: boxes where the layout says, arcs along its curves; zoom, pan, choice.
import { shape } from "./elements.js";

const THIN = 0.6, THICK = 3.8, PLAIN = 1.1, MARGIN = 18, LARGEST = 8;
const FOOT = 26; // for the legend below
const key = (parent, child) => `${parent},${child}`;

// The same as page.css in light colours, so that a file looks alike everywhere.
const FILE_STYLE = `
.arc path{fill:none;stroke:#5b6b7f}.arc polygon{fill:#5b6b7f}
.arc.added path{stroke:#2e7d32}.arc.added polygon{fill:#2e7d32}
.arc.turned path{stroke:#c77700}.arc.turned polygon{fill:#c77700}
.arc.lost path{stroke:#c1442e;stroke-dasharray:4 4}.arc.lost polygon{fill:#c1442e}
.box rect{fill:#eef3fa;stroke:#3d5a80}.box.root rect{fill:#fff3dc}
.box text{fill:#14213d;text-anchor:middle;dominant-baseline:central;font:10px sans-serif}`;

export class Graph {
  constructor(host, { choose }) {
    this.host = host;
    this.choose = choose;
    this.network = null;
    this.drawing = null;
    this.chosen = null;
    this.asClass = false;
    this.showChanges = true;
    this.view = { x: 0, y: 0, scale: 1 };
    this.touched = false; // whether somebody has zoomed or moved it
    this.arcs = shape("g"); this.boxes = shape("g");
    this.all = shape("g", {}, this.arcs, this.boxes);
    this.svg = shape("svg", { role: "img", "aria-label": "the network" }, this.all);
    host.append(this.svg);
    this.boxOf = [];
    this.listen();
    new ResizeObserver(() => { if (this.touched) this.move(); else this.fit(); }).observe(host);
  }

  setNetwork(network) {
    const others = !this.network || String(this.network.names) !== String(network.names);
    this.network = network;
    this.neighbours();
    if (others) { this.drawing = null; this.boxOf = []; this.boxes.replaceChildren(); this.touched = false; }
    this.draw();
  }

  setDrawing(drawing) {
    this.drawing = drawing;
    this.svg.classList.toggle("dense", !drawing.is_layered);
    this.draw();
    if (!this.touched) this.fit();
  }

  neighbours() {
    const { names, arcs } = this.network;
    this.parents = names.map(() => []);
    this.children = names.map(() => []);
    for (const [parent, child] of arcs) {
      this.parents[child].push(parent);
      this.children[parent].push(child);
    }
  }

  // Parents, children, and other parents of these: given them, the rest tells nothing more.
  blanket(variable) {
    const parents = new Set(this.parents[variable]), children = new Set(this.children[variable]);
    const spouses = new Set();
    for (const child of children) for (const other of this.parents[child]) {
      if (other !== variable && !parents.has(other) && !children.has(other)) spouses.add(other);
    }
    return { parents, children, spouses };
  }

  draw() {
    const { network, drawing } = this;
    if (!network || !drawing || drawing.boxes.length !== network.names.length) return;
    this.drawBoxes();
    this.drawArcs();
    this.mark();
  }

  drawBoxes() {
    const { network, drawing } = this;
    const into = new Set(network.arcs.filter(([, , , open]) => !this.asClass || !open).map(([, child]) => child));
    if (this.asClass) for (const [parent, child, , open] of network.arcs) if (open) { into.add(parent); into.add(child); }
    drawing.boxes.forEach(([x, y, width], variable) => {
      let box = this.boxOf[variable];
      if (!box) {
        const rect = shape("rect", { rx: 7 }), text = shape("text"), title = shape("title");
        box = this.boxOf[variable] = shape("g", { class: "box" }, title, rect, text);
        box.addEventListener("click", (event) => {
          event.stopPropagation();
          if (!this.dragged) this.choose(variable === this.chosen ? null : variable);
        });
        this.boxes.append(box);
      }
      const [title, rect, text] = box.children, height = drawing.box_height;
      title.textContent = network.names[variable];
      text.textContent = drawing.labels[variable];
      for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height })) rect.setAttribute(name, value);
      box.setAttribute("transform", `translate(${x} ${y})`);
      box.style.transform = `translate(${x}px, ${y}px)`; // which moves there, and does not jump
      box.classList.toggle("root", !into.has(variable));
      // Widths are estimated: letters of other fonts may need less room than they take.
      text.removeAttribute("textLength");
      if (text.getComputedTextLength() > width - 6) {
        text.setAttribute("textLength", width - 8);
        text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    });
  }

  drawArcs() {
    const { network, drawing } = this;
    const routes = new Map(drawing.routes.map(([parent, child, points]) => [key(parent, child), points]));
    const among = (arcs) => new Set(this.showChanges ? arcs.map(([p, c]) => key(p, c)) : []);
    const added = among(network.added), turned = among(network.turned);
    const known = network.arcs.map(([, , nats]) => nats).filter((nats) => nats !== null && nats < 1e299);
    const most = Math.max(...known, 0);
    const made = network.arcs.map(([parent, child, nats, open]) => {
      const name = key(parent, child);
      const width = nats === null ? PLAIN
        : THIN + (THICK - THIN) * Math.sqrt(most > 0 ? Math.max(0, Math.min(1, nats / most)) : 1);
      const points = routes.get(name) ?? reversed(routes.get(key(child, parent))) ?? this.straight(parent, child);
      const said = `${network.names[parent]} ${this.asClass && open ? "–" : "→"} ${network.names[child]}`
        + (nats === null ? "" : nats > 1e299 ? ": needed" : `: ${nats.toLocaleString("en", { maximumFractionDigits: 1 })} nats`);
      return arc(points, {
        width, said, kind: added.has(name) ? "added" : turned.has(name) ? "turned" : "",
        head: !(this.asClass && open), ends: [parent, child],
      });
    });
    if (this.showChanges) for (const [parent, child] of network.lost) {
      const points = routes.get(key(parent, child)) ?? this.straight(parent, child);
      made.push(arc(points, {
        width: PLAIN, said: `${network.names[parent]} → ${network.names[child]}: no longer`,
        kind: "lost", head: true, ends: [parent, child],
      }));
    }
    this.arcs.replaceChildren(...made);
  }

  // An arc that is newer than the layout leads straight from box to box.
  straight(parent, child) {
    const [x0, y0, w0] = this.drawing.boxes[parent], [x1, y1, w1] = this.drawing.boxes[child];
    const half = this.drawing.box_height / 2, dx = x1 - x0, dy = y1 - y0;
    const out = (width) => Math.min(width / 2 / (Math.abs(dx) || 1e-9), half / (Math.abs(dy) || 1e-9), 0.5);
    const a = out(w0), b = out(w1);
    const from = [x0 + dx * a, y0 + dy * a], to = [x1 - dx * b, y1 - dy * b];
    const at = (share) => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    return [...from, ...at(1 / 3), ...at(2 / 3), ...to];
  }

  choice(variable) {
    this.chosen = variable;
    this.mark();
  }

  mark() {
    const own = this.chosen;
    this.svg.classList.toggle("has-choice", own !== null);
    const near = own === null || !this.network ? null : this.blanket(own);
    const role = (variable) => near === null ? "" : variable === own ? "self" : near.parents.has(variable) ? "parent"
      : near.children.has(variable) ? "child" : near.spouses.has(variable) ? "spouse" : "far";
    this.boxOf.forEach((box, variable) => {
      for (const name of ["self", "parent", "child", "spouse", "far"]) box.classList.toggle(name, role(variable) === name);
    });
    for (const made of this.arcs.children) {
      const [parent, child] = made.ends;
      const belongs = near !== null && (parent === own || child === own || (near.children.has(child) && role(parent) !== "far"));
      made.classList.toggle("far", near !== null && !belongs);
    }
  }

  // ---- zoom and pan ----

  fit() {
    if (!this.drawing) return;
    const { width, height } = this.drawing, room = this.host.getBoundingClientRect();
    if (!room.width || !room.height) return;
    const scale = Math.min((room.width - 2 * MARGIN) / width, (room.height - 2 * MARGIN - FOOT) / height, 1.7);
    this.view = { scale, x: (room.width - width * scale) / 2, y: Math.max(MARGIN, (room.height - FOOT - height * scale) / 2) };
    this.touched = false;
    this.move();
  }

  zoom(factor, at) {
    const room = this.host.getBoundingClientRect(), view = this.view;
    const [x, y] = at ?? [room.width / 2, room.height / 2];
    const scale = Math.min(LARGEST, Math.max(0.05, view.scale * factor));
    this.view = { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
    this.touched = true;
    this.move();
  }

  show(variable) {
    if (!this.drawing) return;
    const [x, y] = this.drawing.boxes[variable], room = this.host.getBoundingClientRect();
    const scale = Math.max(this.view.scale, 1.1);
    this.view = { scale, x: room.width / 2 - x * scale, y: room.height / 2 - y * scale };
    this.touched = true;
    this.move();
  }

  move() {
    const { x, y, scale } = this.view;
    this.all.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  listen() {
    const host = this.host, down = new Map();
    let spread = 0;
    const place = (event) => { const box = host.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    host.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), place(event));
    }, { passive: false });
    host.addEventListener("pointerdown", (event) => {
      down.set(event.pointerId, place(event));
      this.dragged = false;
      spread = 0;
    });
    host.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      if (down.size === 1) {
        if (!this.dragged && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
        if (!this.dragged) host.setPointerCapture(event.pointerId);
        this.dragged = this.touched = true;
        host.classList.add("dragging");
        this.view.x += now[0] - before[0];
        this.view.y += now[1] - before[1];
        this.move();
        down.set(event.pointerId, now);
      } else {
        down.set(event.pointerId, now);
        const [one, other] = [...down.values()];
        const wide = Math.hypot(one[0] - other[0], one[1] - other[1]);
        if (spread) this.zoom(wide / spread, [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]);
        spread = wide;
        this.dragged = true;
      }
    });
    const up = (event) => { down.delete(event.pointerId); spread = 0; host.classList.remove("dragging"); };
    host.addEventListener("pointerup", up);
    host.addEventListener("pointercancel", up);
    host.addEventListener("click", () => { if (!this.dragged) this.choose(null); });
    host.addEventListener("dblclick", () => this.fit());
    host.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (step) { this.view.x += step[0]; this.view.y += step[1]; this.touched = true; this.move(); }
      else if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else if (event.key === "0") this.fit();
      else if (event.key === "Escape") this.choose(null);
      else return;
      event.preventDefault();
    });
  }

  // ---- as a file ----

  toFile() {
    const { width, height } = this.drawing;
    const content = this.all.cloneNode(true);
    content.removeAttribute("transform");
    for (const box of content.querySelectorAll(".box")) { box.removeAttribute("style"); box.classList.remove("far"); }
    for (const made of content.querySelectorAll(".arc")) made.classList.remove("far");
    const file = shape("svg", {
      viewBox: `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`,
      width: width + 2 * MARGIN, height: height + 2 * MARGIN,
    }, shape("style", {}, FILE_STYLE), shape("rect", { x: -MARGIN, y: -MARGIN, width: "100%", height: "100%", fill: "#fff" }), content);
    return new XMLSerializer().serializeToString(file);
  }
}

function reversed(points) {
  if (!points) return undefined;
  const turned = [];
  for (let place = points.length - 2; place >= 0; place -= 2) turned.push(points[place], points[place + 1]);
  return turned;
}

// A curve of Bézier pieces, shortened by its head.
function arc(points, { width, said, kind, head, ends }) {
  const curve = [...points], last = curve.length - 2;
  const [x, y] = [curve[last], curve[last + 1]];
  const parts = [shape("title", {}, said)];
  let tip;
  if (head) {
    const long = 6.5 + 0.9 * width, wide = 2.4 + 0.75 * width;
    let dx = x - curve[last - 2], dy = y - curve[last - 1];
    const length = Math.hypot(dx, dy) || 1;
    dx /= length; dy /= length;
    const [bx, by] = [x - dx * long, y - dy * long];
    tip = shape("polygon", { points: `${x},${y} ${bx - dy * wide},${by + dx * wide} ${bx + dy * wide},${by - dx * wide}` });
    curve[last] = bx + dx; curve[last + 1] = by + dy;
    curve[last - 2] -= dx * long; curve[last - 1] -= dy * long;
  }
  let d = `M${curve[0]} ${curve[1]}`;
  for (let place = 2; place < curve.length; place += 6) d += `C${curve.slice(place, place + 6).map((n) => n.toFixed(1)).join(" ")}`;
  parts.push(shape("path", { d, "stroke-width": width.toFixed(2) }));
  if (tip) parts.push(tip);
  const made = shape("g", { class: `arc ${kind}`.trim() }, ...parts);
  made.ends = ends;
  return made;
}
