// Keyboard shortcuts. Disabled in text fields and while the user has switched them off.
import { axisAction } from "./rating_axes.js";
import { codebookAction } from "../components/codebook.js";
import { claimAction } from "./claims.js";
import { criterionAction } from "./criteria.js";
import { focusNextNumber } from "./marked_text.js";
import { isFieldFocused, isButtonFocused } from "../components/dom.js";
import { _ } from "../components/language.js";
import { isApplicable, optionForKey } from "../components/judgement_rules.js";
import { openListAction } from "./open_kinds.js";
import { closePanel, togglePanel, SKIP_REASONS } from "./panels.js";
import { focusCell } from "./record_table.js";
import { closeChart, toggleChart } from "./vitals_chart.js";
import { openOptional } from "./judgement_form.js";
import { SUGGESTION_KEYS } from "./gold_and_feedback.js";
import { isTourOpen } from "./tour.js";
import {
  chooseNext,
  chooseOption,
  choosePrimary,
  judgesFailures,
  markForNext,
  questions,
  showMessage,
  state,
  takesLabels,
  applySuggestion,
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

// Switch between the records and the context; if both are visible, only the keyboard focus moves.
function toggleContext() {
  const inTable = document.activeElement?.closest(".ab-records");
  state.shown = inTable || !state.item.table.rows.length ? "context" : "records";
  state.draw();
  if (state.shown === "records") focusCell();
  else document.querySelector(".ab-context")?.focus();
}

function labelAction(key) {
  const action = singleKeyAction(key),
    { adding } = state;
  return (
    action &&
    (() => {
      state.adding = null;
      if (adding) state.draw();
      action(adding);
    })
  );
}

function chooseFound({ question, option }) {
  if (!question.required) openOptional();
  chooseOption(question, option.value);
  // What the choice asks to be written is written next: a digit must not become another answer.
  const next = questions().find(({ kind, when }) => kind === "line" && when?.field === question.name && when.value === option.value);
  if (next) document.getElementById(`ab-${next.name}`)?.focus();
}

function singleKeyAction(key) {
  const { form, codes } = state;
  const category = judgesFailures() && codes.classes.find((c) => c.key === key);
  if (category) return () => choosePrimary(category.code);
  const rating = axisAction(key);
  if (rating) return rating;
  const found = optionForKey(questions(), form, key);
  if (found) return () => chooseFound(found);
  const asked = questions().find((one) => one.key === key && isApplicable(one, form));
  if (asked)
    return () => {
      openOptional();
      if (asked.options && asked.kind !== "several") chooseNext(asked);
      else document.getElementById(`ab-${asked.name}`)?.focus();
    };
  const ticking = criterionAction(key) || claimAction(key);
  if (ticking) return ticking;
  const place = SUGGESTION_KEYS.indexOf(key);
  if (place >= 0 && state.item.suggestions[place]) return () => applySuggestion(place);
  return {
    z: undo,
    s: () => togglePanel("skip"),
    "+": (was) => {
      if (takesLabels(form)) {
        openOptional();
        state.adding = was === "class" ? null : "class";
        state.draw();
      }
    },
  }[key];
}

// Reasons have letters that choose nothing in a judgement: one that was meant for the form, a severity above all,
// must not put the item aside.
function skipAction(key) {
  const reason = SKIP_REASONS.find((one) => one.key === key);
  if (reason) return () => actions.skip(reason.value);
  if (key === "s") return closePanel;
  return /^([a-z0-9]|enter)$/.test(key) ? () => showMessage(skipKeysText(), "note") : null;
}
const skipKeysText = () =>
  _("Nothing was put aside. Choose a reason by its letter ({keys}), or press Esc to go on with the item.", {
    keys: SKIP_REASONS.map((one) => one.key).join(", "),
  });

function keyAction(key) {
  if (state.panel === "skip") return skipAction(key);
  const ofList = state.item && !state.sending && !state.feedback && openListAction(key);
  if (ofList) return ofList;
  const always = {
    "[": actions.back,
    "]": actions.forward,
    i: actions.guide,
    "?": () => togglePanel("keys"),
  }[key];
  if (always || !state.item || state.sending) return always;
  const reading = {
    ".": () => focusNextNumber(1),
    ",": () => focusNextNumber(-1),
    y: toggleContext,
    "/": () => toggleChart(),
    ";": () => state.form.further.length && markForNext(),
    q: () => togglePanel("flag"),
  }[key];
  return state.feedback ? reading : labelAction(key) || reading;
}

export function onKey(event) {
  if (isTourOpen()) return;
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
  if (!state.keysOn || isFieldFocused()) return;
  if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && state.item) {
    event.preventDefault();
    undo();
    return;
  }
  if (!plain || event.repeat) return;
  if (event.key === "Enter") {
    if (isButtonFocused() || !state.item || state.panel === "flag") return;
    event.preventDefault();
    (state.panel === "skip" ? skipAction("enter") : actions.enter)();
    return;
  }
  const action = (event.shiftKey && state.item && state.panel !== "skip" && codebookAction(event)) || keyAction(event.key.toLowerCase());
  if (action) {
    event.preventDefault();
    action();
  }
}

function escape() {
  if (state.panel === "codebook") {
    closePanel();
    return;
  }
  if (state.panel === "chart") {
    closeChart();
    return;
  }
  state.openClass = state.adding = state.message = null;
  document.activeElement?.blur();
  closePanel();
}
