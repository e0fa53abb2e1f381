// Helpers that create DOM nodes. All strings are inserted as text, so model output is never parsed as HTML.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    // Elements have no property for some events, such as focusin.
    if (name.startsWith("on") && !(name in node)) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("on")) node[name] = value;
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (![null, undefined, false].includes(child)) node.append(child);
  return node;
}

export const el = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// Insert HTML. Only for guidelines, which the server's Markdown renderer has made safe.
export function trustedHtml(html) {
  const box = el("div", { class: "ab-prose" });
  box.innerHTML = html;
  return box;
}

export const isFieldFocused = () => /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement?.tagName || "");
export const isButtonFocused = () => /^(BUTTON|SUMMARY|A)$/.test(document.activeElement?.tagName || "");

// `key` of a button or an option: its name, or the node that shows it.
const keyNode = (key) => (key instanceof Node ? key : el("kbd", { "aria-hidden": "true" }, key));

export function button(label, key, onclick, more = {}) {
  return el(
    "button",
    {
      type: "button",
      ...more,
      // Blur after a mouse click so that keyboard shortcuts work; keep the focus of keyboard users.
      onclick: (event) => {
        if (event.detail > 0) event.currentTarget.blur();
        onclick();
      },
    },
    label,
    key ? [" ", keyNode(key)] : null,
  );
}

// `name` is the node's name in `data-k`, in no language.
export function option(name, label, key, pressed, onclick, more = {}) {
  const made = button(el("span", {}, label), null, onclick, {
    class: "cn-option",
    "aria-pressed": String(pressed),
    "data-k": name,
    ...more,
  });
  if (key) made.prepend(keyNode(key));
  return made;
}

export function group(title, hint, body, layout = "") {
  return el(
    "fieldset",
    {},
    el("legend", {}, title, " ", hint ? el("small", {}, hint) : null),
    el("div", { class: "cn-options " + layout }, body),
  );
}

export function dataTable(caption, columns, rows, more = {}) {
  return el(
    "div",
    { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      { class: "cn-table", ...more },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row))),
    ),
  );
}

// A selector that finds the same node after a redraw: its id, or the `data-k` or `data-path` set by its page.
export function selectorOf(node) {
  if (!node) return null;
  if (node.id && !node.dataset.path) return `#${CSS.escape(node.id)}`;
  for (const name of ["k", "path"])
    if (node.dataset[name]) return `[data-${name}="${CSS.escape(node.dataset[name])}"]`;
  return null;
}

// Make `children` the children of `node`. Those that it has already stay attached, in their order: to attach a
// long table again, the browser has to lay it out again.
export function keepChildren(node, children) {
  const wanted = children.flat(Infinity).filter((one) => one !== null && one !== undefined);
  const stays = new Set(wanted);
  for (const one of [...node.childNodes]) if (!stays.has(one)) one.remove();
  let at = node.firstChild;
  for (const one of wanted) {
    if (one === at) at = at.nextSibling;
    else node.insertBefore(one, at);
  }
  return node;
}

// A <div> that lasts from one redraw to the next, with other attributes and children.
export function lastingDiv() {
  const node = el("div");
  return (attributes, ...children) => keepChildren(fill(node, attributes, []), children);
}

// Run `change` on `root`, then restore focus, caret, scroll positions and open <details>.
// `focus` selects another node to focus; `sameContent` is false if `root` now shows another item.
export function redraw(root, change, { focus = null, sameContent = true } = {}) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const selector = focus || (active && selectorOf(active));
  const caret =
    !focus && active && typeof active.selectionStart === "number"
      ? [active.selectionStart, active.selectionEnd]
      : null;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((box) => [
    box.dataset.scroll,
    box.scrollTop,
    box.scrollLeft,
  ]);
  const folds = new Map([...root.querySelectorAll("details[data-fold]")].map((one) => [one.dataset.fold, one.open]));
  change();
  if (sameContent)
    for (const one of root.querySelectorAll("details[data-fold]"))
      if (folds.has(one.dataset.fold)) one.open = folds.get(one.dataset.fold);
  if (sameContent)
    for (const [name, top, left] of scrolled)
      root.querySelector(`[data-scroll="${name}"]`)?.scrollTo(left, top);
  const again = selector && (sameContent || active?.tagName === "BUTTON" || focus) && root.querySelector(selector);
  if (!again || again === document.activeElement) return;
  again.focus({ preventScroll: !focus });
  if (caret && typeof again.selectionStart === "number") again.setSelectionRange(...caret);
}
