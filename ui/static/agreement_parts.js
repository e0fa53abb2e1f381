// What stands behind the figures: one button a part, computed when it is pressed; the planner takes a half-width.
const box = element.querySelector(".ag-parts");
let shown = null, waiting = null, width = "0.05", protocol = "";
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, given] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = given;
    else if (given !== null && given !== false) node.setAttribute(name, given === true ? "" : given);
  }
  node.append(...children);
  return node;
}
function ask(part) {
  if (waiting) return;
  waiting = part;
  props.value = { part, half_width: part === props.planner ? Number(width) : null, consensus: part === props.consensus ? protocol : null, sent: Date.now() };
  trigger("select");
  render();
}
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.sent) return;
  shown = reply.shown ?? null; waiting = null;
  render();
});
const button = (part) => el("button", { type: "button", class: "cn-button", "data-part": part.key, "aria-pressed": String(shown === part.key), onclick: () => ask(part.key) }, part.title);
function render() {
  const held = box.contains(document.activeElement) ? document.activeElement.dataset.part || document.activeElement.id : null;
  const plan = el("form", { class: "ag-plan", onsubmit: (event) => { event.preventDefault(); ask(props.planner); } },
    el("label", { for: "ag-width" }, "Half-width"),
    el("input", { type: "number", id: "ag-width", min: "0.005", max: "0.5", step: "0.005", value: width, required: true, oninput: (event) => { width = event.target.value; } }),
    el("button", { type: "submit", class: "cn-button", "data-part": props.planner, "aria-pressed": String(shown === props.planner) }, "Plan items and annotators"));
  const choices = [{ key: "", title: "as in the report" }, ...props.protocols];
  const settled = el("form", { class: "ag-plan", onsubmit: (event) => { event.preventDefault(); ask(props.consensus); } },
    el("label", { for: "ag-protocol" }, "Consensus"),
    el("select", { id: "ag-protocol", onchange: (event) => { protocol = event.target.value; } },
      ...choices.map((one) => el("option", { value: one.key, selected: one.key === protocol }, one.title))),
    el("button", { type: "submit", class: "cn-button", "data-part": props.consensus, "aria-pressed": String(shown === props.consensus) }, "What the judgements come to"));
  box.replaceChildren(el("h2", {}, "Behind the figures"),
    el("div", { class: "cn-choose", role: "group", "aria-label": "Behind the figures" }, ...props.parts.map(button)), settled, plan,
    el("p", { class: "cn-muted ag-state", role: "status" }, waiting ? "Computing…" : ""));
  if (held) box.querySelector(`[data-part="${CSS.escape(held)}"], #${CSS.escape(held)}`)?.focus({ preventScroll: true });
}
render();
