// The judgement form: the questions in the server's order; labels are chosen as error classes and
// sub-classes.
import { button, el, group, option } from "../components/dom.js";
import { _ } from "../components/language.js";
import { claimLists, claimsStep } from "./claims.js";
import { isAsked, valueOf } from "../components/judgement_rules.js";
import { fold } from "../components/prompt_and_thinking.js";
import { actsAt, keyHint } from "./open_kinds.js";
import { axesHeading, axisField } from "./rating_axes.js";
import { decisionOrder, hasEntry, optionEntry, withEntry } from "../components/codebook.js";
import {
  choose,
  chooseFurther,
  chooseOption,
  choosePrimary,
  classOf,
  contradicted,
  findClass,
  firstMissing,
  isChecked,
  isJudged,
  isLocked,
  judgesFailures,
  nameOf,
  questions,
  recordForUndo,
  state,
  writeText,
} from "./state.js";

// The sub-classes of the class `of`, at their `place` for keys: their own while they select one, else after the
// class's (`key`; null where that would not lead there).
function subClassOptions(of, chosen, choosing, { place, live, key = null }) {
  const keyOf = (one) => (live ? keyHint(one.key, place) : key && keyHint(`${key} ${one.key}`));
  return el(
    "div",
    { class: "ab-subs" },
    group(
      [el("span", { class: "cn-sr" }, of.name + ": "), _("Which kind?")],
      live ? _("a letter, if you like; Esc closes") : key && _("{key}, then a letter", of),
      of.subs.map((s) =>
        withEntry(s.code, option(s.code, s.name, keyOf(s), chosen(s.code), () => choosing(s.code)), {
          numbered: true,
        }),
      ),
      "cn-one ab-classes",
    ),
  );
}

function primaryLabelField(question) {
  const chosen = findClass(state.form.primary);
  return [
    group(
      question.label,
      question.hint,
      [
        decisionOrder(),
        state.codes.classes.map((c) =>
          withEntry(c.code, option(c.code, c.name, keyHint(c.key, "class"), chosen?.code === c.code, () => choosePrimary(c.code)), {
            numbered: true,
          }),
        ),
      ],
      "cn-one ab-classes",
    ),
  ];
}

// The kinds of the chosen class. It keeps its height while there are none, so that what is below does not jump.
function kindsOfPrimary() {
  const { form } = state,
    chosen = findClass(form.primary);
  return el(
    "div",
    { class: "ab-kinds" },
    chosen && chosen.subs.length
      ? subClassOptions(
          chosen,
          (code) => form.primary === code,
          (code) => choosePrimary(form.primary === code ? chosen.code : code),
          { place: "kind", live: state.openClass === chosen.code && !state.adding, key: state.adding ? null : chosen.key },
        )
      : el("p", { class: "ab-help" }, chosen ? chosen.definition : _("The kinds of the class you choose stand here.")),
  );
}

const LAYOUTS = { 3: "cn-three" };

function choiceField(question) {
  const { name, label, hint, key, help, options, clearable } = question;
  const given = valueOf(state.form, name),
    several = question.kind === "several",
    chosen = options.find((one) => one.value === given);
  const layout = options.some((one) => hasEntry(optionEntry(name, one.value)))
    ? `ab-explained ab-${name}`
    : LAYOUTS[options.length] || "";
  const buttons = options.map((one) =>
    withEntry(
      optionEntry(name, one.value),
      option(
        `${name} ${one.value}`,
        one.label,
        one.key === one.label ? null : keyHint(one.key),
        several ? Boolean(given?.includes(one.value)) : one === chosen,
        () => (clearable && one === chosen ? choose(name, null) : chooseOption(question, one.value)),
        one.title ? { "aria-label": `${label} ${one.label}: ${one.title}` } : {},
      ),
      { words: one.title },
    ),
  );
  const below = chosen?.help ? `${chosen.label}: ${chosen.help}` : help;
  return [
    group(label, [hint, actsAt(key) && key].filter(Boolean).join("; "), buttons, layout),
    below ? el("p", { class: "ab-help" }, below) : null,
  ];
}

function furtherLabelsField(question) {
  const { form, codes, adding } = state;
  const chips = form.further.map((code) =>
    button(nameOf(code), null, () => chooseFurther(code), {
      class: "ab-chip",
      "aria-label": _("Take away the further label {name}", { name: nameOf(code) }),
      "data-k": "further-" + code,
    }),
  );
  const toggle = button(
    adding ? _("Enough") : _("Add a label"),
    keyHint("+"),
    () => {
      state.adding = adding ? null : "class";
      state.draw();
    },
    { class: "cn-button cn-quiet", "aria-expanded": String(Boolean(adding)), "data-k": "add" },
  );
  const pick = !adding
    ? null
    : adding === "class"
      ? el(
          "div",
          { class: "ab-subs" },
          group(
            question.label,
            _("class letter, then perhaps a second letter"),
            codes.classes.map((c) =>
              withEntry(
                c.code,
                option(
                  "more-" + c.code,
                  c.name,
                  keyHint(c.key, "more"),
                  form.further.some((one) => classOf(one) === c.code),
                  () => chooseFurther(c.code),
                ),
                { place: "more-" },
              ),
            ),
            "cn-one ab-classes",
          ),
        )
      : subClassOptions(findClass(adding), (code) => form.further.includes(code), chooseFurther, { place: "more", live: true });
  return el(
    "fieldset",
    {},
    el("legend", {}, question.label + " ", el("small", {}, question.hint)),
    el("div", { class: "ab-chips" }, chips, toggle),
    pick && el("div", { class: "ab-adding" }, pick),
  );
}

// Enter ends a line; the next one locks or submits.
function leaveByEnter(event) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.blur();
}

function textField({ name, kind, label, hint, key, longest }) {
  const id = `ab-${name}`,
    line = kind === "line";
  const number = kind === "number";
  const box = el(line || number ? "input" : "textarea", {
    ...(number ? { type: "number", step: "any" } : { maxlength: longest, ...(line ? { type: "text" } : { rows: "2" }) }),
    id,
    onfocus: recordForUndo,
    onkeydown: line || number ? leaveByEnter : null,
    oninput: ({ target }) => writeText(name, !number ? target.value : target.value === "" ? null : target.valueAsNumber),
  });
  box.value = valueOf(state.form, name) ?? "";
  const small = [hint, key && actsAt(key) && _("{key} to write, Esc to leave", { key })].filter(Boolean).join("; ");
  return el(
    "fieldset",
    {},
    el("legend", {}, el("label", { for: id }, label), small ? [" ", el("small", {}, small)] : null),
    box,
  );
}

const FIELD_RENDERERS = {
  axis: axisField,
  primary: primaryLabelField,
  further: furtherLabelsField,
  choice: choiceField,
  several: choiceField,
  number: textField,
  line: textField,
  text: textField,
};

// What stands beside a choice that speaks against the reference; the choice stays possible.
const contradictionNotes = ({ name }) =>
  contradicted()
    .filter((one) => one.field === name)
    .map((one) => el("p", { class: "cn-note cn-warn ab-contradiction", role: "status" }, one.remark));

function stepHeading() {
  if (!judgesFailures() && !isChecked()) return axesHeading();
  if (isChecked() && !claimsStep()) return null;
  const [title, hint] = isChecked()
    ? claimsStep()
    : isLocked()
    ? [_("Step 2 of 2: with the gold answer"), _("Judge the item; change what now looks different.")]
    : [_("Step 1 of 2: without the gold answer"), firstStepHint()];
  return el(
    "div",
    { class: "ab-step" },
    el("h2", {}, title),
    el("p", {}, hint),
  );
}

// What may still be left out when the response is judged, so that nobody wonders whether a class is due now.
function firstStepHint() {
  const missing = isJudged(state.form) ? firstMissing() : null;
  return missing
    ? _("{label} may wait: step 2 asks for it.", { label: missing.label })
    : _("Judge the response; the rest may wait.");
}

const fields = (some) => some.flatMap((one) => [FIELD_RENDERERS[one.kind](one), contradictionNotes(one)].flat());

// What may be left out is folded away; a key of one of these fields opens it.
export const openOptional = () => document.querySelector("[data-fold='optional']")?.setAttribute("open", "");

function optionalFields(some) {
  const given = some.some((one) => valueOf(state.form, one.name)?.toString());
  return fold("optional", some.map((one) => one.label).join(", "), { open: given }, fields(some));
}

export function judgementForm() {
  const asked = questions().filter((one) => isAsked(one, state.form));
  const later = asked.filter((one) => one.after_reference && one.required),
    optional = asked.filter((one) => !one.required),
    classes = asked.filter((one) => one.kind === "primary"),
    rest = asked.filter((one) => one.required && !one.after_reference && one.kind !== "primary");
  return el(
    "div",
    { class: "ab-decide", "data-scroll": "decide" },
    stepHeading(),
    isChecked() ? claimLists() : null,
    el("div", { class: "ab-top" }, fields(later)),
    el("div", { class: "ab-first" }, fields(rest.slice(0, 1)), fields(classes)),
    el(
      "div",
      { class: "ab-second" },
      classes.length ? kindsOfPrimary() : null,
      fields(rest.slice(1)),
      optionalFields(optional),
    ),
  );
}
