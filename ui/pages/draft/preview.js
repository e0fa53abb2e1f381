// The preview of a draft: its questions on sample patients with worked solutions and the answers that
// mistakes give, its validity, and similar templates in the bank.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { keyOf, state } from "./state.js";

let patient = 0;
let written = 0;
const toggleButton = (label, on, key, onclick) => el("button", { type: "button", class: "cn-button cn-quiet", "aria-pressed": String(on), "data-path": key, onclick }, label);

export function previewPanel() {
  if (!state.looked?.length) return el("section", { class: "df-panel" }, el("h2", {}, _("Preview")),
    el("p", { class: "cn-muted" }, _("Questions on sample patients appear here as soon as wording and computation are complete.")), trialSection());
  const examples = state.looked;
  patient = Math.min(patient, examples.length - 1);
  const example = examples[patient];
  written = Math.min(written, example.length - 1);
  const choose = (set) => { set(); state.redrawResult(); };
  return el("section", { class: `df-panel${state.stale ? " df-stale" : ""}` },
    el("h2", {}, state.stale ? _("Preview, before the last change") : _("Preview")),
    el("div", { class: "df-row", role: "group", "aria-label": _("Sample patient") },
      examples.map((one, at) => toggleButton(_("Patient {n}", { n: at + 1 }), at === patient, `patient-${at}`, () => choose(() => { patient = at; })))),
    el("div", { class: "df-row", role: "group", "aria-label": _("Representation") },
      example.map((one, at) => toggleButton(one.representation, at === written, `written-${at}`, () => choose(() => { written = at; })))),
    questionExample(example[written]), trialSection());
}
function questionExample(one) {
  return el("div", {},
    el("div", { class: "df-context", tabindex: "0", role: "region", "aria-label": _("Context, {representation}", one) },
      one.context.map((part) => part.columns ? table(_("Records"), part.columns, part.rows) : el("pre", {}, part.text))),
    el("p", { class: "df-question" }, one.question),
    el("p", {}, el("b", {}, _("Answer:"), " "), el("output", {}, one.answer)),
    el("h3", {}, _("Worked solution")), el("ol", { class: "df-worked" }, one.worked.map((step) => el("li", {}, step))),
    el("h3", {}, _("Answers that a mistake gives")),
    one.distractors.length ? table(_("Distractors"), [_("Mistake"), _("Answer"), _("Cause")], one.distractors)
      : el("p", { class: "cn-muted" }, _("No single mistake gives another answer here.")));
}
function table(caption, columns, rows) {
  return el("div", { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: "cn-table df-table" }, el("thead", {}, el("tr", {}, columns.map((one) => el("th", { scope: "col", class: "cn-left" }, one)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, at) => el(at ? "td" : "th", { scope: at ? null : "row", class: "cn-left" }, cell)))))));
}
function trialSection() {
  if (!state.weighed) return null;
  const { trial, alike } = state.weighed;
  return el("div", { class: state.stale ? "df-stale" : "" },
    el("h3", {}, _("Validity")), el("p", { class: trial.holds ? "df-good" : "df-bad" }, trial.summary),
    trial.counts.length ? table(_("Validity counts"), ["", _("Questions")], trial.counts) : null,
    el("h3", {}, _("Alike in the bank")),
    alike.length ? el("ul", { class: "df-alike" }, alike.map((one) => el("li", {}, el("a", { href: one.href, "aria-label": _("Look at {name}", one) }, _("Look")), ` ${one.why}.`)))
      : el("p", { class: "cn-muted" }, _("Nothing in the bank asks the same.")));
}
