// The head of the agreement page: which study, and whether its figures are this minute's. Names are set as text.
const box = element.querySelector(".ag-head");
const CHECK_MS = 30000, MANY = 8;
let value = {}, fresh = 0, busy = false, filter = "", reopen = [];
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, given] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = given;
    else if (given !== null && given !== false) node.setAttribute(name, given === true ? "" : given);
  }
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}
function ask(event, chosen) {
  if (busy) return;
  busy = event;
  props.value = { chosen, saved: value.saved, sent: Date.now() };
  trigger(event);
  if (event !== "input") render();
}
// What is open stays open when the figures come anew: it is found again by its place and its words.
const folds = () => [...document.querySelectorAll("#layers details")];
const nameOf = (fold, place) => `${place} ${fold.querySelector("summary").textContent.replace(/\d+/g, "")}`;
const reading = () => folds().some((fold) => fold.open) || document.activeElement?.closest("#look, #layers, #part")
  || (document.querySelector("#part")?.textContent || "").trim() !== "" || !window.getSelection().isCollapsed;
function refresh() {
  reopen = folds().map((fold, place) => (fold.open ? nameOf(fold, place) : null)).filter(Boolean);
  ask("submit", value.chosen);
}
function choose(name) { reopen = []; fresh = 0; ask("select", name); }
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.sent && !("now" in reply)) return;
  const asked = busy; busy = false;
  if (asked === "input") {
    fresh = reply.now === null ? 0 : reply.now - value.saved;
    if (fresh > 0 && !reading()) { refresh(); return; }
    line();
    return;
  }
  value = reply; fresh = 0;
  render();
  setTimeout(() => folds().forEach((fold, place) => { if (reopen.includes(nameOf(fold, place))) fold.open = true; }), 50);
});
function button(study) {
  const pressed = study.name === value.chosen;
  return el("button", { type: "button", class: "cn-button", "aria-pressed": String(pressed), onclick: () => choose(study.name) },
    study.name, study.status === "open" ? null : el("small", {}, " " + study.status));
}
function list() {
  const studies = value.studies || [];
  const shown = studies.filter((study) => study.name.toLowerCase().includes(filter.toLowerCase()));
  return el("div", { class: "cn-choose ag-studies", role: "group", "aria-label": "Study" },
    shown.map(button), shown.length || !studies.length ? null : el("p", { class: "cn-muted" }, "No study has that in its name."));
}
function line() {
  const text = busy ? "Counting…" : fresh > 0 ? `${fresh} newer ${fresh === 1 ? "judgement" : "judgements"}: these figures are from before.` : "";
  const state = box.querySelector(".ag-state");
  if (state) state.textContent = text;
}
function render() {
  if (!value.studies) return;
  const field = value.studies.length > MANY ? el("label", { class: "ag-search" }, "Find a study",
    el("input", { type: "search", id: "ag-search", value: filter, autocomplete: "off", oninput: (event) => { filter = event.target.value; box.querySelector(".ag-studies").replaceWith(list()); } })) : null;
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  const again = held && (held.id ? "#" + held.id : held.classList.contains("ag-refresh") ? ".ag-refresh" : held.getAttribute("aria-pressed") ? '[aria-pressed="true"]' : null);
  box.replaceChildren(...[field, list(), value.chosen ? el("div", { class: "ag-bar" },
    el("button", { type: "button", class: "cn-button cn-quiet ag-refresh", onclick: refresh }, "Refresh"),
    el("span", { class: "cn-muted ag-state", role: "status" })) : null].filter(Boolean));
  line();
  if (again) box.querySelector(again)?.focus({ preventScroll: true });
}
const clock = setInterval(() => {
  if (!element.isConnected) { clearInterval(clock); return; }
  if (value.chosen && !busy && !document.hidden) ask("input", value.chosen);
}, CHECK_MS);
render();
