// The form for a new study and its preview. After dom.js.
const root = element.querySelector(".st-form"), box = element.querySelector(".st-message"), panel = element.querySelector(".st-preview");
let previewed = null, asked = null, seed = "";
const number = (name, label, value, attributes = {}) => el("label", { class: "st-field" }, label,
  el("input", { type: "number", name, value: value === null ? "" : String(value), step: "1", min: "0", inputmode: "numeric", ...attributes }));
const options = (type, name, choices, chosen = []) => choices.map((one) => el("label", { class: "st-option" },
  el("input", { type, name, value: one.value, checked: chosen.includes(one.value) }),
  el("span", {}, el("strong", {}, one.label), one.about ? el("small", {}, one.about) : null)));
const group = (legend, help, ...content) => el("fieldset", {}, el("legend", {}, legend), help ? el("p", { class: "cn-muted" }, help) : null, content);
const fields = (...content) => el("div", { class: "st-fields" }, content);
const row = (...content) => el("div", { class: "st-options" }, content);

watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out) return;
  answered(root);
  if (reply.choices) { draw(reply.choices); return; }
  showMessage(box, reply.message ?? null);
  if (reply.preview) { previewed = asked; seed = reply.seed; showPreview(reply.preview); }
  if (reply.created) { previewed = null; panel.replaceChildren(); root.querySelector('[name="name"]').value = ""; }
  buttons();
});
function draw(choices) {
  if (!choices.runs.length || !choices.annotators.length) {
    const lacks = !choices.runs.length ? "No scored run is in the database yet; on the server: clinicnum runs add --help" : "No account has the role annotator yet; add one on the page People.";
    root.replaceChildren(el("p", { class: "cn-note" }, lacks));
    return;
  }
  const form = el("form", { novalidate: true, oninput: buttons, onsubmit: (event) => { event.preventDefault(); preview(); } },
    el("label", { class: "st-field st-wide" }, "Name of the study", el("input", { name: "name", maxlength: "100", autocomplete: "off" })),
    group("Runs", "All on one benchmark.", row(options("checkbox", "runs", choices.runs, choices.runs.length === 1 ? [choices.runs[0].value] : []))),
    group("Annotators", null, row(options("checkbox", "annotators", choices.annotators)),
      fields(number("overlap", "Annotators an item (k)", 3, { min: "1" }), number("lease_minutes", "Minutes that an item in work keeps its place", 120, { min: "5" }))),
    group("What to draw", null, row(options("radio", "include", choices.include, ["mixed"])),
      fields(number("size", "How many base questions (empty: all of these)", null, { min: "1" }), number("variants", "Variants beside them, in strata of their own", 0), number("correct_percent", "Scored-correct share where mixed, %", 15, { max: "90" }))),
    el("details", {}, el("summary", {}, "Only some of them"),
      group("Operations", "None chosen: all.", row(options("checkbox", "operations", choices.operations))),
      group("Representations", null, row(options("checkbox", "representations", choices.representations))),
      group("Score", null, row(options("checkbox", "statuses", choices.statuses))),
      group("Templates", null,
        fields(el("label", { class: "st-field st-wide" }, "Template ids, joined by commas", el("input", { name: "templates", maxlength: "4000", autocomplete: "off" }))))),
    group("Quality", "Training items come first, with feedback. Control items are hidden among the others. Both are taken from the adjudicated and unanimous items of a closed study on the same runs.",
      fields(number("training", "Training items", 0), number("controls", "Control items", 0), number("repeat_percent", "Blind repeats, % of items", 0, { max: "50" })),
      group("References from", null, row(options("radio", "references_from", [{ value: "", label: "no study", about: "" }, ...choices.closed], [""])))),
    group("Suggested causes", "Computed from the text when the study opens.", row(options("radio", "suggestions", choices.suggestions, ["hidden"]))),
    group("Guideline", null, el("label", { class: "st-field st-wide" }, "In Markdown; it stands beside the work", el("textarea", { name: "guideline", rows: "6", maxlength: "50000" }))),
    fields(number("seconds_an_item", "Seconds an item, to reckon the hours", 60, { min: "1", max: "3600" })),
    el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-primary", "data-key": "preview" }, "Preview"),
      el("button", { type: "button", class: "cn-button", "data-key": "create", onclick: create }, "Open the study"), el("span", { class: "cn-muted st-hint" })));
  root.replaceChildren(form);
  buttons();
}
function read() {
  const form = root.querySelector("form"), data = new FormData(form);
  const many = (name) => data.getAll(name).map(String);
  const out = { references_from: data.get("references_from") || null,
    templates: String(data.get("templates")).split(",").map((one) => one.trim()).filter(Boolean) };
  for (const name of ["runs", "annotators", "operations", "representations", "statuses"]) out[name] = many(name);
  for (const name of ["name", "include", "suggestions", "guideline"]) out[name] = String(data.get(name) ?? "");
  for (const field of form.querySelectorAll('input[type="number"]')) if (field.value !== "") out[field.name] = Number(field.value);
  return out;
}
const drawnFrom = (out) => JSON.stringify({ ...out, name: "", guideline: "" });
function buttons() {
  const button = root.querySelector('[data-key="create"]');
  if (!button) return;
  const fresh = previewed !== null && drawnFrom(read()) === previewed;
  const waits = root.hasAttribute("aria-busy");
  button.disabled = !fresh || waits;
  root.querySelector('[data-key="preview"]').disabled = waits;
  root.querySelector(".st-hint").textContent = waits ? "Counting; this can take a minute for a large run." : fresh ? "" : "Preview it first; then it can be opened.";
  const stale = previewed !== null && !fresh;
  panel.classList.toggle("st-stale", stale);
  const title = panel.querySelector("h2");
  if (title) title.textContent = stale ? "Preview, before the last change" : "Preview";
}
function preview() { const out = read(); asked = drawnFrom(out); if (ask("select", out, root, box)) { showMessage(box, null); buttons(); } }
function create() { if (ask("submit", { ...read(), seed }, root, box)) { showMessage(box, null); buttons(); } }
function showPreview(preview) {
  const heading = el("h2", { tabindex: "-1" }, "Preview");
  panel.replaceChildren(el("section", { class: "st-panel" }, heading,
    preview.warnings.map((text) => el("p", { class: "cn-note cn-warn" }, text)),
    el("ul", {}, preview.facts.map((text) => el("li", {}, text))),
    dataTable(preview.caption, [["Stratum", true], ["Available", false], ["Drawn", false], ["Probability", false]], preview.strata)));
  heading.focus();
}
