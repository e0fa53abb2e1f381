// The page's state, and the functions that change it.
import { _ } from "../components/language.js";
import * as rules from "../components/judgement_rules.js";
import { overlaps, mergeSpan } from "./span_arithmetic.js";

const MOST_STEPS_BACK = 100;

export const state = {
  item: null,
  form: null,
  codes: null,
  past: [],
  openClass: null, // class whose sub-classes are open: until one is chosen or Esc, their letters are theirs
  evidenceFor: null, // the further label whose evidence is being marked; null: the primary one
  adding: null, // while adding a further label: "class", or the code of the class just added
  sending: false, // a submit or skip is in progress; the form is locked
  feedback: false,
  done: null,
  nextStudy: null, // the name of the study that the next item is of, between two studies
  mayGoBack: true, // whether the annotator is in a study, so that there can be an item to go back to
  firstAside: null, // the assignment of the first item put aside, once nothing else is left
  studies: [], // the annotator's open studies, as the server's view words them
  message: null,
  panel: null,
  answers: null, // how many answers of adjudicators wait, as the server says it
  threads: [], // the threads shown in the answers panel
  answerTexts: null, // what the server says about them
  shown: "records",
  criterion: null, // the criterion or axis gone back to; null: the first open one is next
  cell: [0, 1],
  keysOn: localStorage.getItem("cn-keys") !== "off",
  draw: () => {},
  changed: () => {},
};

export const { classOf } = rules;
export const findClass = (code) => rules.findClass(state.codes, code);
export const findCode = (code) => rules.findCode(state.codes, code);
export const nameOf = (code) => rules.nameOf(state.codes, code);

// A built-in item to practise on: the same form, but nothing is kept.
export const isPractice = () => state.item !== null && state.item.practice !== null;

// Step 1 of 2 is without the reference, step 2 with it; what cannot be judged without it is asked then, first.
export const isLocked = () => Boolean(state.item.reveal);
// Other kinds of studies have questions of their own, asked in one step, and nothing is marked as evidence.
export const judgesFailures = () => state.item?.kind === "failures";
// In a pairwise study values name the first and the second answer of the pair, keys and words the sides on
// which they stand here.
export const isPair = () => Boolean(state.item?.pair);
// In a claims study sentences are judged, those of a reference once the verdicts on the answer are locked.
export const isChecked = () => Boolean(state.item?.claims);
export const locksNext = () => (judgesFailures() ? !isLocked() : Boolean(state.item.claims?.follows));
const turned = ([one, other, ...rest]) => [{ ...one, value: other.value }, { ...other, value: one.value }, ...rest];
const onSides = (one) => (one.options && state.item.pair.left === "second" ? { ...one, options: turned(one.options) } : one);
export function questions() {
  if (!judgesFailures()) {
    const own = state.codes.other_kinds[state.item.kind];
    return isPair() ? own.map(onSides) : own;
  }
  const later = state.codes.questions.filter((one) => one.after_reference),
    now = state.codes.questions.filter((one) => !one.after_reference);
  return isLocked() ? [...later, ...now] : now;
}
const firstQuestion = () => state.codes.questions[0];
export const isJudged = (form) => form[firstQuestion().name] !== null;
const labelQuestion = () => questions().find((one) => one.kind === "primary");
export const takesLabels = (form) => judgesFailures() && rules.isApplicable(labelQuestion(), form);
export const emptyForm = () => structuredClone(state.codes.empty);
export function judgement() {
  // Where the answers stand in other fields, the judgement of the response says that they were given.
  const judged = { ...rules.judgementOf(questions(), state.form), ...state.codes.done[state.item.kind] },
    claims = state.item.claims;
  if (claims) {
    const keys = [...claims.answer, ...claims.reference].map(({ key }) => key);
    return { ...judged, claims: rules.picked(state.form.claims, keys) };
  }
  const ticks = rules.picked(state.form.criteria, state.item.criteria.map(({ key }) => key));
  return Object.keys(ticks).length ? { ...judged, criteria: ticks } : judged;
}
// What speaks against a choice made now, from the reference or the text.
export const contradicted = () =>
  (state.item?.reveal?.contradictions || []).filter((one) => one.value === rules.valueOf(state.form, one.field));
export const firstMissing = (among = () => true) => rules.firstMissing(questions().filter(among), state.form);

export function showMessage(text, tone = "warn") {
  state.message = text ? { text, tone } : null;
  state.draw();
}

// Apply a change to the form: record it for undo and save a draft. Only Enter or the button saves a judgement.
function change(fields, { quiet = false } = {}) {
  if (state.sending || state.feedback) return;
  if (!quiet) state.past = [...state.past, state.form].slice(-MOST_STEPS_BACK);
  state.form = { ...state.form, ...fields };
  state.message = null;
  if (!quiet) state.draw();
  state.changed();
}

export function undo() {
  const now = JSON.stringify(state.form);
  let before = state.past.pop();
  while (before && JSON.stringify(before) === now) before = state.past.pop();
  if (!before) {
    showMessage(_("Nothing to undo on this item."), "note");
    return;
  }
  state.form = before;
  state.openClass = state.adding = state.message = state.criterion = null;
  state.draw();
  state.changed();
}

export const writeText = (field, text) => change(rules.withValue(state.form, field, text), { quiet: true });
export const recordForUndo = () => {
  state.past = [...state.past, state.form].slice(-MOST_STEPS_BACK);
};
export function choose(field, value) {
  const changed = rules.withValue(state.form, field, value);
  const { primary } = state.form,
    dropped = primary && takesLabels(state.form) && !takesLabels({ ...state.form, ...changed });
  if (!takesLabels({ ...state.form, ...changed })) state.openClass = state.adding = null;
  change(changed);
  if (dropped) showMessage(_("“{name}” does not go with this and is put aside; Undo (z) brings it back.", { name: nameOf(primary) }), "note");
}
export const judgeClaim = (key, verdict) => change({ claims: { ...state.form.claims, [key]: verdict } });
export const tick = (key, verdict) => change({ criteria: { ...state.form.criteria, [key]: verdict } });
// Choose an option of a question, as its key does: of several it is added or taken away.
export const chooseOption = ({ name, kind }, value) =>
  choose(name, kind === "several" ? rules.toggled(rules.valueOf(state.form, name), value) : value);
export function choosePrimary(code, more = {}) {
  state.openClass = code === classOf(code) && findClass(code).subs.length ? code : null;
  const { field, value } = labelQuestion().when;
  change({
    [field]: value,
    primary: code,
    ...furtherLabels(state.form.further.filter((c) => c !== code)),
    ...more,
  });
}
// Further labels with the evidence of those that stay.
function furtherLabels(further, more = {}) {
  const known = { ...state.form.further_evidence, ...more };
  const kept = Object.entries(known).filter(([code]) => further.includes(code));
  return { further, further_evidence: Object.fromEntries(kept) };
}
export function chooseFurther(code) {
  const { further, primary } = state.form,
    chosen = further.includes(code);
  const sub = code !== classOf(code);
  state.adding = !sub && !chosen && findClass(code).subs.length ? code : null;
  if (code === primary) {
    showMessage(_("That is the primary label already."));
    return;
  }
  // A sub-class replaces its class and takes over its evidence.
  const replaced = sub && further.includes(classOf(code)) ? classOf(code) : null;
  const rest = further.filter((one) => one !== code && one !== replaced);
  if (replaced && state.evidenceFor === replaced) state.evidenceFor = code;
  change(furtherLabels(chosen ? rest : [...rest, code], replaced && { [code]: evidenceOf(replaced) }));
}
export function chooseNext({ name, options, clearable }) {
  const values = [...options.map((one) => one.value), ...(clearable ? [null] : [])];
  choose(name, values[(values.indexOf(rules.valueOf(state.form, name)) + 1) % values.length]);
}
export function applySuggestion(place) {
  const found = state.item.suggestions[place];
  if (!found) return;
  state.evidenceFor = null;
  choosePrimary(found.code, { spans: found.spans, cells: found.cells });
  state.openClass = null;
  state.draw();
}

// ---------- evidence: of the primary label in the form itself, of each further label under its code
const PARTS = ["spans", "context_spans", "cells"]; // in the answer, in the context, in the record table
export function evidenceOf(code) {
  const own = code === null ? state.form : state.form.further_evidence[code] || {};
  return Object.fromEntries(PARTS.map((part) => [part, own[part] || []]));
}
// The further label whose evidence is being marked; null: the primary label.
export const markedLabel = () => (state.form.further.includes(state.evidenceFor) ? state.evidenceFor : null);
export const otherLabels = () => [null, ...state.form.further].filter((one) => one !== markedLabel());
export function markFor(code) {
  state.evidenceFor = code;
  state.draw();
}
export function markForNext() {
  const labels = [null, ...state.form.further];
  markFor(labels[(labels.indexOf(markedLabel()) + 1) % labels.length]);
}
function changeEvidence(part, list, tooMany) {
  const code = markedLabel(),
    { further_evidence: further } = state.form;
  if (!judgesFailures()) return;
  if (list.length > state.codes.most_evidence) showMessage(tooMany);
  else if (code === null) change({ [part]: list });
  else change({ further_evidence: { ...further, [code]: { ...evidenceOf(code), [part]: list } } });
}

// `part` is the text: "spans" for the answer, "context_spans" for the context.
export const spansOf = (part) => evidenceOf(markedLabel())[part];
export const spansOver = (part, span) => spansOf(part).filter((one) => overlaps(one, span));
export function addSpan(part, span) {
  const most = state.codes.most_evidence;
  changeEvidence(part, mergeSpan(spansOf(part), span), _("{most} pieces of evidence are the most; take one away first.", { most }));
}
export const removeSpan = (part, span) =>
  changeEvidence(part, spansOf(part).filter((one) => !overlaps(one, span)));
export const toggleSpan = (part, span) =>
  spansOver(part, span).length ? removeSpan(part, span) : addSpan(part, span);
export const hasCell = (cells, record, vital) => cells.some((c) => c.record === record && c.vital === vital);
export function toggleCell(record, vital) {
  const { cells } = evidenceOf(markedLabel());
  const rest = cells.filter((c) => c.record !== record || c.vital !== vital);
  const most = state.codes.most_evidence;
  changeEvidence(
    "cells",
    rest.length < cells.length ? rest : [...cells, { record, vital }],
    _("{most} cells are the most; take one away first.", { most }),
  );
}
