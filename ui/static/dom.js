// Helpers of the pages that draw from data. Everything shown is set as text, so that no data can become markup.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on") || name === "value" || name === "checked") node[name] = value;
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return node;
}
// `columns` are [title, isText]; cells are text or nodes.
function dataTable(caption, columns, rows) {
  return el("div", { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: "cn-table" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, columns.map(([title, text]) => el("th", { scope: "col", class: text ? "cn-left" : null }, title)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, at) => el(at ? "td" : "th", { scope: at ? null : "row", class: columns[at][1] ? "cn-left" : null }, cell)))))));
}
const actionButton = (key, text, onclick, css = "", label = null) =>
  el("button", { type: "button", class: `cn-button ${css}`, "data-key": key, "aria-label": label, onclick }, text);
// Draw anew and leave the keyboard where it was; what was typed into named fields stays.
function redraw(root, ...children) {
  const active = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const typed = new Map([...root.querySelectorAll("[data-keep]")].map((field) => [field.dataset.keep, field.value]));
  const opened = new Set([...root.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key));
  root.replaceChildren(...children.flat(3).filter(Boolean));
  for (const field of root.querySelectorAll("[data-keep]")) if (typed.get(field.dataset.keep)) field.value = typed.get(field.dataset.keep);
  for (const one of root.querySelectorAll("details[data-key]")) if (opened.has(one.dataset.key)) one.open = true;
  if (active) root.querySelector(`[data-key="${CSS.escape(active)}"]`)?.focus();
}
function showMessage(box, message) {
  box.className = message ? `cn-note ${message.tone ? `cn-${message.tone}` : ""}` : "";
  box.textContent = message ? message.text : "";
}
// One request at a time; the page says that it waits, and says so if no answer comes.
const NO_ANSWER_MS = 180000;
let waitingFor = null, request = null;
function ask(event, out, root, box) {
  if (waitingFor) return false;
  root.setAttribute("aria-busy", "true");
  waitingFor = setTimeout(() => {
    answered(root);
    showMessage(box, { tone: "bad", text: "No answer from the server. Reload the page and look at what is there before you try again." });
  }, NO_ANSWER_MS);
  request = { sent: Date.now() + Math.random(), root, box };
  props.value = { out, sent: request.sent };
  trigger(event);
  return true;
}
// Gradio tells a failure in a corner and for a moment; here it is said in its place, and the page can be used again.
async function failed(response) {
  let text = "The server cannot be reached. Nothing typed here is lost; try again.";
  try {
    const said = response ? await response.json() : {};
    if (response) text = said.error || said.detail || "The server met a fault of its own. Look at what is there before you try again.";
  } catch { /* a proxy's page holds no words for us */ }
  answered(request.root);
  showMessage(request.box, { tone: "bad", text });
}
const plainFetch = window.fetch;
window.fetch = async (...given) => {
  const ours = () => waitingFor && String(given[1]?.body).includes(`"sent":${request.sent}`);
  try {
    const response = await plainFetch(...given);
    if (!response.ok && ours()) failed(response.clone());
    return response;
  } catch (error) {
    if (ours()) failed(null);
    throw error;
  }
};
function answered(root) {
  clearTimeout(waitingFor); waitingFor = null;
  root.removeAttribute("aria-busy");
}
