// The annotators' distinct judgements (positions), and the form for the adjudicator's own judgement.
import { optionEntry, withEntry } from "../components/codebook.js";
import { button, el, group, option } from "../components/dom.js";
import { _ } from "../components/language.js";
import { isApplicable, classOf, findClass, findCode, isAsked, toggled, valueOf } from "../components/judgement_rules.js";
import { digitsForPositions, disputedQuestions, isDisputed, judgesFailures } from "./disputed_questions.js";
import { visibleQuestions, choose, chooseClass, startOwnJudgement, discardOwnJudgement, emptyForm, storeUnsaved, positionLetter, pickPosition, state, positionColour, writeText } from "./state.js";

export function labelledTextArea(id, title, hint, value, oninput) {
  const area = el("textarea", { id, rows: "2", maxlength: "2000", oninput: (event) => oninput(event.target.value) });
  area.value = value;
  return el("p", { class: "aj-field" }, el("label", { for: id }, title, " ", el("small", {}, hint)), area);
}
function positionCard(one, place) {
  const { item, picked, form } = state;
  const said = [one.response, one.primary].filter(Boolean).join(", ");
  const take = button(
    [
      place < digitsForPositions() && !form ? el("kbd", { "aria-hidden": "true" }, String(place + 1)) : null,
      picked === place ? _("Taken over") : _("Take over"),
      el("span", { class: "cn-sr" }, ": ", _("position {letter}, {said}", { letter: positionLetter(place), said })),
    ],
    null,
    () => pickPosition(place),
    { class: "aj-take", "aria-pressed": String(picked === place), "data-k": "take" + place },
  );
  return el(
    "li",
    { class: "aj-position" + (picked === place ? " aj-picked" : "") },
    el("p", { class: "aj-position-head" }, el("span", { class: "aj-letter " + positionColour(place) }, positionLetter(place)), el("strong", {}, one.response)),
    el("dl", {}, one.facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    one.rationales.map((text) => el("blockquote", {}, text)),
    item.due.length ? take : null,
  );
}

// ---------- the adjudicator's own judgement
const LAYOUTS = { 3: "cn-three", 6: "cn-six" };

function choiceField({ name, kind, label, hint, options }, form) {
  const given = valueOf(form, name), several = kind === "several";
  const press = (value) => choose(name, several ? toggled(given, value) : value);
  const shown = options.map((one) => withEntry(optionEntry(name, one.value),
    option(`${name} ${one.value}`, one.label, one.key === one.label ? null : one.key, several ? Boolean(given?.includes(one.value)) : given === one.value, () => press(one.value), {
      title: one.title,
      "aria-label": one.title ? `${label} ${one.label}: ${one.title}` : null,
    }),
  ));
  return group(label, hint, shown, LAYOUTS[options.length] || "");
}
function primaryLabelField(question, form) {
  const { codes } = state.item, { label, hint } = question;
  const chosen = form.primary && findClass(codes, form.primary);
  const classes = codes.classes.map((one) =>
    withEntry(one.code, option(one.code, one.name, one.key, chosen?.code === one.code, () => chooseClass(one.code))),
  );
  const sub = (one) => {
    state.pendingClass = null;
    chooseClass(form.primary === one.code ? chosen.code : one.code);
  };
  return [
    group(label, hint, classes),
    isApplicable(question, form) && chosen?.subs.length
      ? group(_("{name}: which?", chosen), _("optional, second key"), chosen.subs.map((one) => withEntry(one.code, option(one.code, one.name, one.key, form.primary === one.code, () => sub(one)))))
      : null,
  ];
}
function furtherLabelsField({ label }, form) {
  const { codes } = state.item;
  const others = codes.classes.filter((one) => one.code !== classOf(form.primary));
  const finer = form.further
    .filter((code) => code !== classOf(code) && classOf(code) !== classOf(form.primary))
    .map((code) => ({ code, name: findCode(codes, code)?.name || code }));
  const box = (one) => {
    const input = el("input", {
      type: "checkbox",
      value: one.code,
      checked: form.further.includes(one.code),
      onclick: (event) => {
        form.further = event.target.checked ? [...form.further, one.code] : form.further.filter((code) => code !== one.code);
        storeUnsaved();
      },
    });
    return el("label", { title: findCode(codes, one.code)?.definition || null }, input, one.name);
  };
  return el(
    "details",
    { class: "aj-further", open: form.further.length > 0 },
    el("summary", {}, `${label} (${form.further.length})`),
    [...others, ...finer].map(box),
  );
}
function textField({ name, kind, label, longest }, form) {
  const id = `aj-${name}`;
  const number = kind === "number";
  const box = el(kind === "line" || number ? "input" : "textarea", {
    type: number ? "number" : kind === "line" ? "text" : null,
    step: number ? "any" : null,
    id,
    maxlength: number ? null : longest,
    oninput: ({ target }) => writeText(name, !number ? target.value : target.value === "" ? null : target.valueAsNumber),
  });
  box.value = valueOf(form, name) ?? "";
  return el("p", { class: "aj-field" }, el("label", { for: id }, label), box);
}
const FIELD_RENDERERS = {
  choice: choiceField,
  several: choiceField,
  number: textField,
  primary: primaryLabelField,
  further: furtherLabelsField,
  line: textField,
  text: textField,
};

function ownJudgement() {
  const form = state.form || emptyForm();
  const begin = (event) => {
    if (!event.target.open || state.form) return;
    startOwnJudgement();
    state.draw("#aj-own-summary");
  };
  return el(
    "details",
    { class: "aj-own", open: Boolean(state.form), ontoggle: begin },
    el("summary", { id: "aj-own-summary" }, _("A judgement of your own")),
    visibleQuestions()
      .filter((one) => isAsked(one, form))
      .flatMap((one) => FIELD_RENDERERS[one.kind](one, form)),
    state.form ? button(_("Back to the positions"), null, discardOwnJudgement, { class: "cn-button cn-quiet", "data-k": "positions" }) : null,
  );
}

function earlierDecisionNote() {
  const { decided: one } = state.item;
  if (!one) return null;
  const after = one.stands ? _("A new decision supersedes it.") : _("A judgement was revised or added since, so it is due again.");
  return el(
    "div",
    { class: "cn-note" + (one.stands ? "" : " cn-warn") },
    _("Decided {at}: {said}. {after}", { ...one, after }),
    one.comment ? el("blockquote", {}, one.comment) : null,
  );
}
function positionsTitle({ due, positions }) {
  if (due.length) return _("What was said");
  return positions.length ? _("What was said (nothing is due)") : _("Nobody's judgement is in yet");
}
const commentTitle = () =>
  isDisputed()
    ? [_("Why"), _("asked for; t to write, Esc to leave")]
    : [_("Comment"), _("optional; t to write, Esc to leave")];
export function decisionForm() {
  const { item } = state, due = item.due.length > 0;
  const comment = (text) => {
    state.comment = text;
    storeUnsaved();
  };
  return [
    earlierDecisionNote(),
    el("h2", {}, positionsTitle(item)),
    due ? el("ul", { class: "aj-due" }, item.due.map((one) => el("li", {}, one))) : null,
    el("ul", { class: "aj-positions" }, item.positions.map(positionCard)),
    disputedQuestions(),
    due && judgesFailures() ? ownJudgement() : null,
    due ? labelledTextArea("aj-comment", ...commentTitle(), state.comment, comment) : null,
  ];
}
