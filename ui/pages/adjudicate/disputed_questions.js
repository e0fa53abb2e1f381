// The disputed questions beyond labels: the preference, axes, sentences or criteria on which annotators differ. Each
// is decided by a key, and the next open one comes into sight.
import { el, option } from "../components/dom.js";
import { _ } from "../components/language.js";
import { positionColour, positionLetter, state, storeUnsaved } from "./state.js";

const questions = () => state.item?.disputed?.questions ?? [];
// What is decided: by the adjudicator's own hand, else by the position that is taken over; null while it is open.
const given = ({ key }) => state.answers[key] ?? state.item.positions[state.picked]?.answers[key] ?? null;
const openQuestions = () => questions().filter((one) => given(one) === null);

// The question that the keys answer: the one gone back to, else the first open one; null once all are decided.
const current = () => questions().find(({ key }) => key === state.question) ?? openQuestions()[0] ?? null;

// Whether something but labels is decided here, so that a reason is asked for.
export const isDisputed = () => questions().length > 0;
// Whether a judgement of labels belongs to the decision.
export const judgesFailures = () => state.item.kind === "failures";
// How many positions digits can take over: the other digits decide on criteria; in other studies all decide.
export const digitsForPositions = () => (!judgesFailures() ? 0 : isDisputed() ? 4 : 9);

// What must still be decided before the decision can be saved, in words; null if nothing must.
export function missingDecision() {
  const left = openQuestions().length;
  if (left) return _("Decide each question: {n} of {all} are open.", { n: left, all: questions().length });
  return isDisputed() && !state.comment.trim() ? _("Write why (t), then decide.") : null;
}

export const decidedAnswers = () => Object.fromEntries(questions().map((one) => [one.key, given(one)]));

function bringIntoSight() {
  document.querySelector(".aj-asked.aj-now")?.scrollIntoView({ block: "nearest" });
}
function answer(key, value) {
  state.answers = { ...state.answers, [key]: value };
  Object.assign(state, { question: null, message: null });
  storeUnsaved();
  state.draw();
  bringIntoSight();
}
// Go back to the question before the current one, to decide it anew.
function goBack() {
  const all = questions(), at = current() ? all.indexOf(current()) : all.length;
  state.question = all[Math.max(0, at - 1)].key;
  state.draw();
  bringIntoSight();
}

// What a key does here; null where it does nothing.
export function questionAction(key) {
  if (!isDisputed()) return null;
  if (key === state.item.disputed.back_key) return goBack;
  const now = current(), chosen = now?.options.find((one) => one.key === key);
  return chosen ? () => answer(now.key, chosen.value) : null;
}

// Lines for the key sheet.
export function questionKeys() {
  if (!isDisputed()) return [];
  const lines = (current() ?? questions()[0]).options.map(({ key, label }) => [key, label]);
  return [...lines, [state.item.disputed.back_key, _("back to the question before")]];
}

const whoSaid = ({ t, p }) =>
  el("span", { class: "aj-said" }, p.map((place) => el("span", { class: "aj-letter " + positionColour(place) }, positionLetter(place))), " ", t);

function questionRow(one, isNow) {
  const { key, label, hint, said, options } = one;
  const buttons = options.map(({ value, label: text, key: press }) =>
    option(`answer-${key}-${value}`, text, isNow ? press : null, given(one) === value, () => answer(key, value)),
  );
  return el(
    "li",
    { class: "aj-asked" + (isNow ? " aj-now" : ""), "aria-current": isNow ? "true" : null },
    el("p", {}, label, hint ? el("small", {}, " ", hint) : null),
    el("p", { class: "aj-hint" }, said.map(whoSaid)),
    el("div", { class: "cn-options", role: "group", "aria-label": label }, buttons),
  );
}
export function disputedQuestions() {
  if (!isDisputed() || !state.item.due.length) return null;
  const all = questions(), now = current(), { title } = state.item.disputed;
  const decided = _("{n} of {all} decided", { n: all.length - openQuestions().length, all: all.length });
  return el(
    "section",
    { class: "aj-disputed", "aria-label": title },
    el("h2", {}, title, " ", el("small", { role: "status" }, decided)),
    el("ol", {}, all.map((one) => questionRow(one, one === now))),
  );
}
