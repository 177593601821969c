// Elements, made one by one: whatever a name contains, it is text and never markup.
const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function element(tag, { text, title, ...properties } = {}, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  if (text !== undefined) made.textContent = text;
  if (title !== undefined) made.title = title;
  made.append(...children);
  return made;
}

export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// Touch nothing that is right already: screen readers would read it again.
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

export function save(name, content, kind) {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
