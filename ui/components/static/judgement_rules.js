// Rules of the judgement form, driven by the question definitions that the server sends (names, labels,
// options).
import { _ } from "./language.js";

export const isApplicable = ({ when }, form) => !when || form[when.field] === when.value;

// Whether a question is shown. Error labels are shown even before the response judgement is made, as choosing
// a label answers both questions.
export const isAsked = (question, form) =>
  isApplicable(question, form) || (question.kind === "primary" && form[question.when.field] === null);

// Answers to the study's own questions, named `custom.NAME`, stand together in the form's `custom`.
const ownName = (name) => (name.startsWith("custom.") ? name.slice("custom.".length) : null);
export const valueOf = (form, name) => (ownName(name) ? (form.custom?.[ownName(name)] ?? null) : form[name]);
export const withValue = (form, name, value) =>
  ownName(name) ? { custom: { ...form.custom, [ownName(name)]: value } } : { [name]: value };

// The options chosen once `value` is pressed: added, or taken away.
export const toggled = (chosen, value) =>
  chosen?.includes(value) ? chosen.filter((one) => one !== value) : [...(chosen || []), value];

const isEmpty = (value) => [null, undefined].includes(value) || value.length === 0 || value.trim?.() === "";

// The first required question without an answer; null if the judgement is complete.
export const firstMissing = (questions, form) =>
  questions.find((one) => one.required && isApplicable(one, form) && isEmpty(valueOf(form, one.name))) || null;

// The values of these keys, of those that have one.
export const picked = (values, keys) =>
  Object.fromEntries(keys.map((key) => [key, values?.[key]]).filter(([, value]) => value));

export function judgementOf(questions, form) {
  const judgement = {};
  for (const one of questions) {
    const value = isApplicable(one, form) ? valueOf(form, one.name) : null;
    if (one.kind === "primary") judgement.labels = value ? labelsOf(form) : [];
    else if (one.kind !== "further" && !isEmpty(value))
      Object.assign(judgement, withValue(judgement, one.name, value.trim?.() ?? value));
  }
  return judgement;
}

const labelsOf = ({ primary, spans, context_spans, cells, further, further_evidence: evidence }) => [
  { code: primary, primary: true, spans, context_spans, cells },
  ...further.filter((code) => code !== primary).map((code) => ({ code, primary: false, ...evidence?.[code] })),
];

// The { question, option } that a keyboard key selects; null if there is none.
export function optionForKey(questions, form, key) {
  for (const question of questions) {
    const option = isApplicable(question, form) && question.options?.find((one) => one.key === key);
    if (option) return { question, option };
  }
  return null;
}

export const wordsOf = ({ options }, value) => options.find((one) => one.value === value)?.words ?? null;

// Sections of the keyboard help, each with lines of [keys, description].
export function keyboardHelpSections(questions) {
  const parts = [];
  for (const one of questions) {
    const keys = (one.options || []).filter((each) => each.key);
    const begins = one.kind === "primary" || (keys.length && !one.when);
    if (begins || !parts.length)
      parts.push({ title: one.when ? titleOf(questions, one.when) : one.label, question: one, lines: [] });
    const { lines } = parts[parts.length - 1];
    if (keys.length && one.when) lines.push([keys.map((each) => each.key).join(" "), one.label]);
    else lines.push(...keys.map((each) => [each.key, each.label]));
    if (one.key) lines.push([one.key, one.options ? _("{label}, again for more", { label: one.label }) : _("{label}; Esc leaves it", { label: one.label })]);
  }
  return parts;
}

const titleOf = (questions, { field, value }) =>
  wordsOf(
    questions.find((one) => one.name === field),
    value,
  );

export const questionOf = (codes, name) => codes.questions.find((one) => one.name === name);

// A code has the form `class` or `class.sub_class`.
export const classOf = (code) => (code || "").split(".")[0];
export const findClass = (codes, code) => codes.classes.find((one) => one.code === classOf(code)) || null;
export function findCode(codes, code) {
  const group = findClass(codes, code);
  return group && (group.code === code ? group : group.subs.find((one) => one.code === code) || null);
}
export function nameOf(codes, code) {
  const group = findClass(codes, code),
    found = findCode(codes, code);
  return !found ? code : found === group ? group.name : `${group.name}: ${found.name}`;
}
