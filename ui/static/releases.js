// Releases, the form for a new one with its preview, and the new bank on stored runs. After dom.js.
const root = element.querySelector(".st-root"), box = element.querySelector(".st-message");
let reply = null, plan = null, asked = null, regression = null;
const LEFT = new Set();
watch("value", () => {
  const given = props.value;
  if (!given || given.out || !given.releases) return;
  answered(root);
  reply = given;
  if (given.plan) { plan = given.plan; plan.of = asked; }
  if (given.published) plan = null;
  if (given.regression) regression = given.regression;
  showMessage(box, given.message ?? null);
  draw();
  const shown = given.plan ? "preview-head" : given.regression ? "regression-head" : null;
  if (shown) root.querySelector(`[data-key="${shown}"]`)?.focus();
});
const field = (name) => root.querySelector(`[name="${name}"]`);
const text = (name) => field(name)?.value ?? "";
function form() {
  const leave_out = reply.standings.blocking.map((one) => one.id).filter((id) => LEFT.has(id));
  return { name: text("name"), notes: text("notes"), date: text("date"), licence: text("licence"), authors: text("authors"),
    include_unreviewed: Boolean(field("include_unreviewed")?.checked), leave_out };
}
function send(action, more = {}) {
  const out = form();
  asked = JSON.stringify(out);
  return ask("select", { action, ...out, ...more }, root, box);
}
function draw() {
  const old = root.querySelector("form") ? form() : { name: "", notes: "", date: "", licence: "Apache-2.0", authors: "", include_unreviewed: false };
  redraw(root, publishForm(old), plan ? preview() : null, standings(), list(), tryOut(), regression ? effects() : null);
  buttons();
}
const input = (name, label, value, attributes = {}) => el("label", { class: "st-field" }, label,
  el("input", { name, value, autocomplete: "off", "data-key": name, oninput: buttons, ...attributes }));
function publishForm(old) {
  return el("form", { class: "st-panel", novalidate: true, "aria-label": "Publish a release", onsubmit: (event) => { event.preventDefault(); send("preview"); } },
    el("h2", {}, "Publish a release"), el("p", {}, reply.standings.ready),
    el("div", { class: "st-fields" }, input("name", "Name, such as ward-2026.1", old.name, { maxlength: "64" }), input("date", "Date, YYYY-MM-DD (may be empty)", old.date, { maxlength: "10" })),
    el("label", { class: "st-field st-wide" }, "Why it is made; stands first in the changelog", el("textarea", { name: "notes", rows: "3", maxlength: "5000", value: old.notes, "data-key": "notes", oninput: buttons })),
    el("details", { "data-key": "more" }, el("summary", {}, "Licence and authors"), el("div", { class: "st-fields" },
      input("licence", "Licence (SPDX identifier)", old.licence, { maxlength: "100" }), input("authors", "Authors, joined by semicolons", old.authors, { maxlength: "1000" }))),
    el("fieldset", {}, el("legend", {}, "What goes in"), el("div", { class: "st-options" }, el("label", { class: "st-option" },
      el("input", { type: "checkbox", name: "include_unreviewed", "data-key": "include_unreviewed", checked: old.include_unreviewed, onchange: () => send("look") }),
      el("span", {}, el("strong", {}, "Unreviewed templates too"), el("small", {}, "marked as such"))))),
    reply.standings.blocking.length ? el("fieldset", {}, el("legend", {}, "Leave out, or decide the contest first"), reply.standings.blocking.map((one) => el("label", { class: "st-option" },
      el("input", { type: "checkbox", name: "leave_out", "data-key": `out-${one.id}`, checked: LEFT.has(one.id), onchange: (event) => { if (event.target.checked) LEFT.add(one.id); else LEFT.delete(one.id); buttons(); } }),
      el("span", {}, el("strong", {}, one.id), el("small", {}, one.why))))) : null,
    el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-primary", "data-key": "preview" }, "Preview"),
      el("button", { type: "button", class: "cn-button", "data-key": "publish", onclick: () => send("publish", { sha256: plan.sha256 }) }, "Publish for good"),
      el("span", { class: "cn-muted st-hint" })));
}
function buttons() {
  const publish = root.querySelector('[data-key="publish"]');
  if (!publish) return;
  const same = plan && plan.of === JSON.stringify(form());
  publish.disabled = !same;
  root.querySelector(".st-hint").textContent = same ? "Once published, it does not change any more." : plan ? "The form has changed: preview it anew." : "Preview it first.";
}
function preview() {
  return el("section", { class: "st-panel", "aria-label": "Preview" },
    el("h2", { tabindex: "-1", "data-key": "preview-head" }, `Preview of ${plan.name}`), el("p", { class: "cn-muted" }, plan.facts),
    plan.known ? el("p", { class: "cn-note" }, "It is published already, just so.") : null,
    el("pre", { class: "st-text", tabindex: "0", role: "region", "aria-label": "Changelog" }, plan.changelog));
}
function standings() {
  const { notes, out, caption } = reply.standings;
  return el("section", { class: "st-panel", "aria-label": "What is ready" }, el("h2", {}, "What is not ready, and why"),
    notes.length ? el("ul", {}, notes.map((one) => el("li", {}, one))) : null,
    out.length ? dataTable(caption, [["Template", true], ["Version", false], ["Status", true], ["Why not", true]], out.map(([id, version, ...more]) => [
      el("a", { href: `/bank/?template=${encodeURIComponent(id)}&version=${encodeURIComponent(version)}` }, id), version, ...more])) : el("p", {}, "Everything in the bank is ready."));
}
function list() {
  return el("section", { class: "st-panel", "aria-label": "Published releases" }, el("h2", {}, "Published"),
    reply.releases.length ? [dataTable("The newest first", [["Name", true], ["Holds", true], ["Published", true], ["SHA-256", true]],
      reply.releases.map((one) => [one.name, one.about, one.created, el("code", {}, one.sha256)])),
      el("p", { class: "cn-muted" }, "On the server, clinicnum templates export FOLDER --release NAME writes one out byte for byte.")] : el("p", {}, "No release yet."));
}
function tryOut() {
  return el("section", { class: "st-panel", "aria-label": "On stored runs" }, el("h2", {}, "On stored runs"),
    el("p", {}, "What the bank as chosen above changes for models that answered before: stored answers are judged by the new golds, no model is asked again."),
    reply.benchmarks.length ? el("div", { class: "st-actions" }, reply.benchmarks.map((one) => actionButton(`try-${one}`, `Try it on ${one}`, () => send("regress", { benchmark: one }), "cn-quiet"))) : el("p", { class: "cn-muted" }, "No scored run is in the database yet."));
}
function effects() {
  const left = (titles) => titles.map((title) => [title, true]);
  return el("section", { class: "st-panel", "aria-label": "Regression" }, el("h2", { tabindex: "-1", "data-key": "regression-head" }, `On benchmark ${regression.benchmark}`),
    el("ul", {}, regression.kinds.map((one) => el("li", {}, one))),
    dataTable("Accuracy: no variants, no flagged instances; 95 % intervals", left(["Model", "As scored", "Without what is removed", "By the new golds", "Removed", "Other wording", "Turned"]), regression.effects),
    regression.changes.length ? dataTable(regression.changes_caption, left(["Instance", "Template", "Version", "What", "Why"]), regression.changes) : null,
    regression.flips.length ? dataTable(regression.flips_caption, left(["Model", "Instance", "Template", "Was", "Is", "Why"]), regression.flips) : null);
}
