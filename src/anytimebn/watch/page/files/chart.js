// Cost and lower bound over time, and below them the gap on a log axis.
import { setText, shape } from "./elements.js";

const LEFT = 8, RIGHT = 64, TOP = 14, MIDDLE = 26, BOTTOM = 18, SHARE = 0.56;
const SPANS = 3; // of the first cost to the last bound, below the last cost: the rest is cut off
const FIRST = 0.05; // seconds, where a log axis begins

export class Chart {
  constructor(host, reading) {
    this.host = host;
    this.reading = reading;
    this.points = [];
    this.end = 0;
    this.log = false;
    this.svg = shape("svg", { role: "img", "aria-label": "cost, bound and gap over time" });
    host.append(this.svg);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.leave());
    new ResizeObserver(() => this.draw()).observe(host);
  }

  take({ anew, points }) {
    if (anew) { this.points = []; this.end = 0; }
    // [seconds, cost, bound or null, space or null]
    for (const [seconds, cost, bound, space] of points) {
      this.points.push({ seconds, cost, bound, space, gap: gapOf(cost, bound) });
    }
  }

  until(seconds) { this.end = Math.max(this.end, seconds || 0); }

  draw() {
    const width = this.host.clientWidth, height = this.host.clientHeight;
    if (!width || !height) return;
    const last = this.points.at(-1);
    const parts = [];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (!last) {
      this.svg.replaceChildren(shape("text", { x: LEFT, y: TOP + 8 }, "nothing found yet"));
      return;
    }
    const end = Math.max(this.end, last.seconds, FIRST * 2);
    const inner = width - LEFT - RIGHT;
    const begin = this.log ? Math.max(FIRST, Math.min(this.points[0].seconds, end / 10)) : 0;
    const x = this.log
      ? (s) => LEFT + inner * Math.log(Math.max(s, begin) / begin) / Math.log(end / begin)
      : (s) => LEFT + inner * s / end;
    const room = height - TOP - MIDDLE - BOTTOM;
    const upper = { top: TOP, bottom: TOP + room * SHARE };
    const lower = { top: upper.bottom + MIDDLE, bottom: height - BOTTOM };

    for (const tick of this.log ? decades(begin, end) : ticks(0, end, 4)) {
      parts.push(shape("line", { class: "grid", x1: x(tick), x2: x(tick), y1: upper.top, y2: upper.bottom }));
      parts.push(shape("line", { class: "grid", x1: x(tick), x2: x(tick), y1: lower.top, y2: lower.bottom }));
      parts.push(shape("text", { x: x(tick), y: height - 4, "text-anchor": tick === 0 ? "start" : "middle" }, duration(tick)));
    }
    this.costs(parts, upper, x, end, width);
    this.gaps(parts, lower, x, end, width);
    this.spaces(parts, upper, lower, x);
    this.cursor = shape("line", { class: "cursor", y1: upper.top, y2: lower.bottom, visibility: "hidden" });
    parts.push(this.cursor);
    this.place = { x, end, begin, inner };
    this.svg.replaceChildren(...parts);
  }

  costs(parts, { top, bottom }, x, end, width) {
    const costs = this.points.map((p) => p.cost);
    const final = costs.at(-1);
    // Bounds of networks that were left behind may be above what the best one costs now.
    const bounds = this.points.map((p) => p.bound).filter((b) => b !== null && b < final);
    let high = Math.max(...costs), low = Math.min(...costs);
    if (bounds.length) {
      // First bounds that are far below would press all that matters into one line.
      const span = Math.max(costs[0] - bounds.at(-1), 1e-6);
      low = Math.max(Math.min(...bounds), final - SPANS * span);
      high = Math.min(high, final + Math.max(SPANS * (final - low), 1e-6)); // nor first networks
    }
    const margin = (high - low || Math.abs(high) * 1e-4 || 1) * 0.06;
    high += margin; low -= margin;
    const y = (value) => bottom - (bottom - top) * (Math.min(Math.max(value, low), high) - low) / (high - low);
    for (const tick of ticks(low, high, 3)) {
      parts.push(shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }));
      parts.push(shape("text", { x: width - RIGHT + 6, y: y(tick) + 3.5 }, short(tick, high - low)));
    }
    const cost = steps(this.points, "cost", x, y, end);
    for (const bound of stepsWithHoles(this.points, "bound", x, y, end)) {
      parts.push(shape("path", { class: "bound", d: path(bound) }));
    }
    parts.push(shape("path", { class: "cost", d: path(cost) }));
    parts.push(shape("text", { class: "what", x: LEFT, y: top - 4 }, "cost and lower bound"));
  }

  gaps(parts, { top, bottom }, x, end, width) {
    const known = this.points.map((p) => p.gap).filter((gap) => gap !== null);
    parts.push(shape("text", { class: "what", x: LEFT, y: top - 5 }, "gap: how far above the best at most"));
    parts.push(shape("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: bottom, y2: bottom }));
    if (!known.length) {
      parts.push(shape("text", { x: LEFT, y: (top + bottom) / 2 + 4 }, "no lower bound yet"));
      return;
    }
    const positive = known.filter((gap) => gap > 0);
    let high = Math.ceil(Math.log10(Math.max(...positive, 1e-6)) - 1e-9);
    let low = Math.floor(Math.log10(Math.min(...positive, 10 ** high)) + 1e-9);
    if (high - low < 2) low = high - 2;
    const closed = known.some((gap) => gap <= 0);
    const floor = closed ? bottom - 17 : bottom; // below it: nothing at all
    const y = (gap) => gap <= 0 ? bottom : floor - (floor - top) * (Math.log10(gap) - low) / (high - low);
    const every = Math.max(1, Math.ceil((high - low) / 4));
    for (let power = low; power <= high; power += every) {
      const at = y(10 ** power);
      parts.push(shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: at, y2: at }));
      parts.push(shape("text", { x: width - RIGHT + 6, y: at + 3.5 }, percent(10 ** power)));
    }
    for (const line of stepsWithHoles(this.points, "gap", x, y, end)) {
      const under = `${path(line)}V${bottom}H${line[0][0]}Z`;
      parts.push(shape("path", { class: "under", d: under }), shape("path", { class: "ratio", d: path(line) }));
    }
    if (closed) {
      const proven = this.points.find((p) => p.gap !== null && p.gap <= 0);
      parts.push(shape("text", { x: width - RIGHT + 6, y: bottom + 3.5 }, "0: proven"));
      parts.push(shape("circle", { class: "proven", cx: x(proven.seconds), cy: bottom, r: 3.2 }));
    }
  }

  // Where the bound is about other networks from then on, and may fall.
  spaces(parts, upper, lower, x) {
    let before;
    for (const { seconds, space, bound } of this.points) {
      if (bound === null || space === before) continue;
      if (before !== undefined) {
        parts.push(shape("line", { class: "change", x1: x(seconds), x2: x(seconds), y1: upper.top, y2: lower.bottom },
          shape("title", {}, `from here on: ${space ?? "another space"}`)));
      }
      before = space;
    }
  }

  point(event) {
    if (!this.place) return;
    const { x, end, begin, inner } = this.place;
    const box = this.svg.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / inner));
    const seconds = this.log ? begin * (end / begin) ** share : share * end;
    let found = null;
    for (const point of this.points) if (point.seconds <= seconds) found = point;
    this.cursor.setAttribute("x1", x(seconds));
    this.cursor.setAttribute("x2", x(seconds));
    this.cursor.setAttribute("visibility", "visible");
    setText(this.reading, found
      ? `${duration(seconds)}: ${short(found.cost, 1)}${found.bound === null ? "" : ` ≥ ${short(found.bound, 1)}`}`
        + (found.gap === null ? "" : `, ${percent(found.gap)}${found.space ? ` above ${found.space}` : ""}`)
      : `${duration(seconds)}: nothing yet`);
  }

  leave() {
    this.cursor?.setAttribute("visibility", "hidden");
    setText(this.reading, "");
  }
}

function gapOf(cost, bound) {
  if (bound === null) return null;
  if (cost <= bound) return 0;
  return bound > 0 ? cost / bound - 1 : null;
}

function steps(points, what, x, y, end) {
  const line = [];
  for (const point of points) {
    if (line.length) line.push([x(point.seconds), line.at(-1)[1]]);
    line.push([x(point.seconds), y(point[what])]);
  }
  if (line.length) line.push([x(end), line.at(-1)[1]]);
  return line;
}

// Pieces: a bound may be unknown, and known again.
function stepsWithHoles(points, what, x, y, end) {
  const pieces = [];
  let piece = [];
  for (const point of points) {
    if (point[what] !== null) { piece.push(point); continue; }
    if (piece.length) pieces.push(steps(piece, what, x, y, point.seconds));
    piece = [];
  }
  if (piece.length) pieces.push(steps(piece, what, x, y, end));
  return pieces;
}

const path = (line) => "M" + line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(tick);
  return found;
}

function decades(begin, end) {
  const found = [];
  for (let power = Math.ceil(Math.log10(begin)); 10 ** power <= end; power += 1) found.push(10 ** power);
  return found;
}

export function duration(seconds) {
  if (seconds === 0) return "0 s";
  if (seconds < 1) return `${+seconds.toPrecision(2)} s`;
  if (seconds < 100) return `${+seconds.toFixed(1)} s`;
  const whole = Math.round(seconds), minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function short(value, span) {
  const digits = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(span || 1))));
  return value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

// Two digits, rounded up: it is said to be at most this.
function percent(gap) {
  if (gap <= 0) return "0 %";
  const amount = 100 * gap, digits = 1 - Math.floor(Math.log10(amount));
  const rounded = Math.ceil(amount * 10 ** digits * (1 - 1e-12)) / 10 ** digits;
  return `${rounded.toLocaleString("en", { maximumFractionDigits: Math.max(0, digits) })} %`;
}
