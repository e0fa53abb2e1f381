// The judgement form: the questions in the server's order; labels are chosen as error classes and
// sub-classes.
import { button, el, group, option } from "/static/components/dom.js";
import { isAsked } from "/static/components/judgement_rules.js";
import { decisionOrder, hasEntry, optionEntry, withEntry } from "./codebook.js";
import {
  choose,
  chooseFurther,
  choosePrimary,
  classOf,
  findClass,
  findCode,
  isLocked,
  nameOf,
  questions,
  recordForUndo,
  state,
  writeText,
} from "./state.js";

// The sub-classes of the class `of`; their keys are shown only while they would select a sub-class (`live`).
function subClassOptions(of, chosen, choosing, live) {
  return el(
    "div",
    { class: "ab-subs" },
    group(
      of.name + ": which?",
      live ? "a letter, if you like; Esc closes" : `${of.key}, then a letter`,
      of.subs.map((s) =>
        withEntry(s.code, option(s.name, live ? s.key : null, chosen(s.code), () => choosing(s.code))),
      ),
      "cn-one ab-classes",
    ),
  );
}

function primaryLabelField(question) {
  const { form, codes } = state,
    chosen = findClass(form.primary),
    shown = findCode(form.primary);
  return [
    group(
      question.label,
      question.hint,
      [
        decisionOrder(),
        codes.classes.map((c) =>
          withEntry(c.code, option(c.name, c.key, chosen?.code === c.code, () => choosePrimary(c.code))),
        ),
      ],
      "cn-one ab-classes",
    ),
    chosen && chosen.subs.length
      ? subClassOptions(
          chosen,
          (code) => form.primary === code,
          (code) => choosePrimary(form.primary === code ? chosen.code : code),
          state.openClass === chosen.code,
        )
      : null,
    el("p", { class: "ab-help" }, shown ? shown.definition : ""),
  ];
}

const LAYOUTS = { 3: "cn-three" };

function choiceField({ name, label, hint, key, help, options, clearable }) {
  const chosen = options.find((one) => one.value === state.form[name]);
  const layout = options.some((one) => hasEntry(optionEntry(name, one.value)))
    ? `ab-explained ab-${name}`
    : LAYOUTS[options.length] || "";
  const buttons = options.map((one) =>
    withEntry(
      optionEntry(name, one.value),
      option(
        one.label,
        one.key === one.label ? null : one.key,
        one === chosen,
        () => choose(name, clearable && one === chosen ? null : one.value),
        one.title ? { "aria-label": `${label} ${one.label}: ${one.title}` } : {},
      ),
      { words: one.title },
    ),
  );
  const below = chosen?.help ? `${chosen.label}: ${chosen.help}` : help;
  return [
    group(label, [hint, key].filter(Boolean).join("; "), buttons, layout),
    below ? el("p", { class: "ab-help" }, below) : null,
  ];
}

function furtherLabelsField(question) {
  const { form, codes, adding } = state;
  const chips = form.further.map((code) =>
    button(nameOf(code), null, () => chooseFurther(code), {
      class: "ab-chip",
      "aria-label": `Take away the further label ${nameOf(code)}`,
      "data-k": "further-" + code,
    }),
  );
  const toggle = button(
    adding ? "Enough " : "Add a label ",
    "+",
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
            "class letter, then perhaps a second letter",
            codes.classes.map((c) =>
              withEntry(
                c.code,
                option(
                  c.name,
                  c.key,
                  form.further.some((one) => classOf(one) === c.code),
                  () => chooseFurther(c.code),
                  { "data-k": "more-" + c.code },
                ),
                { place: "more-" },
              ),
            ),
            "cn-one ab-classes",
          ),
        )
      : subClassOptions(findClass(adding), (code) => form.further.includes(code), chooseFurther, true);
  return el(
    "fieldset",
    {},
    el("legend", {}, question.label + " ", el("small", {}, question.hint)),
    el("div", { class: "ab-chips" }, chips, toggle),
    pick && el("div", { class: "ab-adding" }, pick),
  );
}

function textField({ name, kind, label, hint, key, longest }) {
  const id = `ab-${name}`,
    line = kind === "line";
  const box = el(line ? "input" : "textarea", {
    ...(line ? { type: "text" } : { rows: "2" }),
    id,
    maxlength: longest,
    onfocus: recordForUndo,
    oninput: (event) => writeText(name, event.target.value),
  });
  box.value = state.form[name];
  const small = [hint, key && `${key} to write, Esc to leave`].filter(Boolean).join("; ");
  return el(
    "fieldset",
    {},
    el("legend", {}, el("label", { for: id }, label), small ? [" ", el("small", {}, small)] : null),
    box,
  );
}

const FIELD_RENDERERS = {
  primary: primaryLabelField,
  further: furtherLabelsField,
  choice: choiceField,
  line: textField,
  text: textField,
};

// Asked beside a choice that speaks against the reference; the choice stays possible.
const contradictionNotes = ({ name }) =>
  (state.item.reveal?.contradictions || [])
    .filter((one) => one.field === name && one.value === state.form[name])
    .map((one) => el("p", { class: "cn-note cn-warn ab-asked", role: "status" }, one.question));

function stepHeading() {
  const [step, what, hint] = isLocked()
    ? ["2 of 2", "with the reference", "Judge the item, and change what you now see differently."]
    : ["1 of 2", "without the reference", "Judge the response; the rest may wait."];
  return el(
    "div",
    { class: "ab-step" },
    el("h2", {}, `Step ${step}: ${what}`),
    el("p", {}, hint),
  );
}

export function judgementForm() {
  return el(
    "div",
    { class: "ab-decide", "data-scroll": "decide" },
    stepHeading(),
    questions()
      .filter((one) => isAsked(one, state.form))
      .flatMap((one) => [FIELD_RENDERERS[one.kind](one), contradictionNotes(one)].flat()),
  );
}
