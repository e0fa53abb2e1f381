// The page's state, and the functions that change it.
import { classOf, findClass, questionOf, valueOf, withValue } from "../components/judgement_rules.js";

// sessionStorage key for unsaved work, so that reloading the page loses nothing.
const UNSAVED_KEY = "cn-adjudication";

export const state = {
  item: null,
  queue: null,
  upholdPreview: null, // the server's latest preview of upholding a contest
  message: null,
  picked: null, // index of the position to adopt
  form: null, // the adjudicator's own judgement
  answers: {}, // what is decided on disputed questions beyond labels, by their keys
  question: null, // key of the question that was gone back to
  comment: "",
  why: {}, // comments on contests and flags, and answers in threads, by their key
  rulings: {}, // whether such a text is a ruling, by the same key
  pendingClass: null, // class whose letter was just pressed; the next key may select its sub-class
  keysOn: localStorage.getItem("cn-keys") !== "off",
  queueOpen: false,
  codebookOpen: false,
  draw: () => {},
};
export const positionLetter = (place) => (place < 26 ? String.fromCharCode(65 + place) : String(place + 1));
export const positionColour = (place) => "aj-p" + (place % 6);

export const emptyForm = () => structuredClone(state.item.codes.empty);
export const visibleQuestions = () => state.item.codes.questions.filter((one) => !one.private);

export function storeUnsaved() {
  const { item, form, answers, comment } = state;
  if (item) sessionStorage.setItem(UNSAVED_KEY, JSON.stringify({ seen: item.seen, form, answers, comment }));
}
export const dropUnsaved = () => sessionStorage.removeItem(UNSAVED_KEY);

export function showMessage(text, tone) {
  state.message = text ? { text, tone } : null;
  state.draw();
}

// Show another item, or a newer state of this one; `stay` keeps unsaved input if it is the same item.
export function replaceItem(fresh, stay) {
  const same = state.item?.item === fresh.item;
  if (!same) {
    state.comment = "";
    window.scrollTo({ top: 0 });
  }
  if (!stay) Object.assign(state, { why: {}, rulings: {} });
  if (!(same && stay)) Object.assign(state, { form: null, answers: {} });
  Object.assign(state, { item: fresh, upholdPreview: null, pendingClass: null, picked: null, question: null });
  const kept = JSON.parse(sessionStorage.getItem(UNSAVED_KEY) || "null");
  if (kept?.seen === fresh.seen) Object.assign(state, { form: kept.form, answers: kept.answers || {}, comment: kept.comment || "" });
}

export function pickPosition(place) {
  const { item } = state;
  if (!item.due.length || place >= item.positions.length) return;
  Object.assign(state, { picked: place, form: null, pendingClass: null, question: null, message: null });
  storeUnsaved();
  state.draw();
}
// Start an own judgement as a copy of the picked position, without its private fields and evidence.
export function startOwnJudgement() {
  const { item, picked } = state;
  if (state.form || !item.due.length) return;
  state.answers = { ...(picked === null ? {} : item.positions[picked].answers), ...state.answers };
  const form = { ...emptyForm(), ...(picked === null ? {} : item.positions[picked].form) };
  for (const { name } of item.codes.questions.filter((one) => one.private))
    Object.assign(form, withValue(form, name, valueOf(item.codes.empty, name)));
  Object.assign(state, { form: { ...form, spans: [], context_spans: [], cells: [], further_evidence: {} }, picked: null });
}
export function discardOwnJudgement() {
  Object.assign(state, { form: null, pendingClass: null });
  dropUnsaved();
  state.draw();
}
export function choose(field, value) {
  startOwnJudgement();
  if (!state.form) return;
  Object.assign(state.form, withValue(state.form, field, value));
  state.message = null;
  storeUnsaved();
  state.draw();
}
export function chooseClass(code) {
  startOwnJudgement();
  const { form, item } = state;
  if (!form) return;
  const { field, value } = questionOf(item.codes, "primary").when;
  Object.assign(form, { [field]: value, primary: code });
  form.further = form.further.filter((one) => one !== code);
  state.message = null;
  state.pendingClass = findClass(item.codes, code).subs.length && code === classOf(code) ? code : null;
  storeUnsaved();
  state.draw();
}
export function writeText(field, text) {
  startOwnJudgement();
  Object.assign(state.form, withValue(state.form, field, text));
  storeUnsaved();
}
