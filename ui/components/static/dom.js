// Nodes are made here, and every text is set as text: a model's words can never become markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

export const el = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// What the guideline's author wrote comes as HTML that the server's Markdown renderer made; nothing else does.
export function rendered(html) {
  const box = el("div", { class: "ab-prose" });
  box.innerHTML = html;
  return box;
}

export const inField = () => /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement?.tagName || "");
export const onButton = () => /^(BUTTON|SUMMARY|A)$/.test(document.activeElement?.tagName || "");

export function button(label, key, onclick, more = {}) {
  return el(
    "button",
    {
      type: "button",
      ...more,
      // After a mouse click the keys go on working; after Tab, focus stays and Enter presses the button.
      onclick: (event) => {
        if (event.detail > 0) event.currentTarget.blur();
        onclick();
      },
    },
    label,
    key ? el("kbd", { "aria-hidden": "true" }, key) : null,
  );
}

export function option(label, key, pressed, onclick, more = {}) {
  const made = button(el("span", {}, label), null, onclick, {
    class: "ab-option",
    "aria-pressed": String(pressed),
    "data-k": label,
    ...more,
  });
  if (key) made.prepend(el("kbd", { "aria-hidden": "true" }, key));
  return made;
}

export function group(title, hint, body, layout = "") {
  return el(
    "fieldset",
    {},
    el("legend", {}, title + " ", hint ? el("small", {}, hint) : null),
    el("div", { class: "ab-options " + layout }, body),
  );
}
