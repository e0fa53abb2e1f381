// Keyboard shortcuts. Disabled in text fields and while the user has switched them off.
import { step } from "./model_answer.js";
import { inField, onButton } from "/static/components/dom.js";
import { applies, optionOf } from "/static/components/judgement_rules.js";
import { close, open, REASONS } from "./panels.js";
import { focusCell } from "./record_table.js";
import { SUGGESTION_KEYS } from "./gold_and_feedback.js";
import {
  choose,
  chooseFurther,
  chooseNext,
  choosePrimary,
  findClass,
  questions,
  state,
  takesLabels,
  takeSuggestion,
  undo,
} from "./state.js";

let actions = {};
export const connectKeys = (given) => {
  actions = given;
};

export function toggleKeys() {
  state.keysOn = !state.keysOn;
  localStorage.setItem("cn-keys", state.keysOn ? "on" : "off");
  state.draw();
}

// Toggle between records and context; if both are visible, only the focus moves.
function turn() {
  const inTable = document.activeElement?.closest(".ab-records");
  state.shown = inTable || !state.item.table.rows.length ? "context" : "records";
  state.draw();
  if (state.shown === "records") focusCell();
  else document.querySelector(".ab-context")?.focus();
}

function addFurther(key) {
  const of = state.adding !== "class" && findClass(state.adding);
  const sub = of && of.subs.find((s) => s.key === key),
    category = state.codes.classes.find((c) => c.key === key);
  if (sub) return () => chooseFurther(sub.code);
  return category ? () => chooseFurther(category.code) : null;
}

// The action for a key. A sub-class key works only directly after its class key; otherwise it has its usual meaning.
function judging(key) {
  const { pendingClass, adding } = state;
  const further = adding && addFurther(key);
  if (further) return further;
  const sub = pendingClass && findClass(pendingClass).subs.find((s) => s.key === key);
  if (sub) return () => choosePrimary(sub.code);
  const action = single(key);
  return (
    action &&
    (() => {
      state.pendingClass = state.adding = null;
      if (pendingClass || adding) state.draw();
      action(adding);
    })
  );
}

function single(key) {
  const { form, codes } = state;
  const category = codes.classes.find((c) => c.key === key);
  if (category) return () => choosePrimary(category.code);
  const found = optionOf(questions(), form, key);
  if (found) return () => choose(found.question.name, found.option.value);
  const asked = questions().find((one) => one.key === key && applies(one, form));
  if (asked?.options) return () => chooseNext(asked);
  if (asked) return () => document.querySelector(`#ab-${asked.name}`)?.focus();
  const place = SUGGESTION_KEYS.indexOf(key);
  if (place >= 0 && state.item.suggestions[place]) return () => takeSuggestion(place);
  return {
    z: undo,
    s: () => open("skip"),
    "+": (was) => {
      if (takesLabels(form)) {
        state.adding = was === "class" ? null : "class";
        state.draw();
      }
    },
  }[key];
}

function actionOf(key) {
  if (state.panel === "skip")
    return REASONS[Number(key) - 1] ? () => actions.skip(REASONS[Number(key) - 1]) : null;
  const always = { "[": actions.back, "]": actions.forward, i: actions.guide, "?": () => open("keys") }[key];
  if (always || !state.item || state.sending) return always;
  const reading = { ".": () => step(1), ",": () => step(-1), y: turn, q: () => open("flag") }[key];
  return state.feedback ? reading : judging(key) || reading;
}

export function onKey(event) {
  // Many keyboard layouts need AltGr or Option to type a bracket.
  const composed =
    event.getModifierState("AltGraph") || (event.altKey && !event.ctrlKey && /^[^a-z0-9]$/i.test(event.key));
  const plain = composed || (!event.ctrlKey && !event.metaKey && !event.altKey);
  if (event.key === "Escape") {
    escape();
    return;
  }
  if (event.key === "Enter" && !plain && state.item) {
    event.preventDefault();
    actions.enter();
    return;
  }
  if (!state.keysOn || inField()) return;
  if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && state.item) {
    event.preventDefault();
    undo();
    return;
  }
  if (!plain || event.repeat) return;
  if (event.key === "Enter") {
    if (!onButton() && state.item && !state.panel?.match(/skip|flag/)) {
      event.preventDefault();
      actions.enter();
    }
    return;
  }
  const action = actionOf(event.key.toLowerCase());
  if (action) {
    event.preventDefault();
    action();
  }
}

function escape() {
  state.pendingClass = state.adding = null;
  document.activeElement?.blur();
  close();
}
