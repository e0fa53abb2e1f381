// What the page holds, and every way in which a person changes it.
import { overlap, withSpan } from "./text.js";

export const RESPONSES = [
  ["acceptable", "a", "Acceptable"],
  ["right_answer_unsound_reasoning", "r", "Right answer, unsound reasoning"],
  ["failure", "w", "Failure"],
  ["cannot_judge", "n", "Cannot judge"],
];
export const ITEMS = [
  ["valid", "v", "Valid"],
  ["gold_wrong", "g", "Gold is wrong"],
  ["ambiguous", "b", "Ambiguous"],
];
export const CONFIDENCES = ["Low", "Medium", "High"];
const MOST_EVIDENCE = 50;
const MOST_STEPS_BACK = 100;

export const state = {
  item: null,
  form: null,
  codes: null,
  past: [],
  pendingClass: null, // a class letter was pressed: the next letter may name its sub-class
  adding: null, // a further label is being chosen: "class", or the class whose sub-class may follow
  sending: false, // a submit or skip is on its way: what is on the page is decided
  feedback: false,
  done: null,
  message: null,
  panel: null,
  shown: "records",
  cell: [0, 1],
  keysOn: localStorage.getItem("cn-keys") !== "off",
  draw: () => {},
  changed: () => {},
  firstJudgement: () => {},
};

export const classOf = (code) => (code || "").split(".")[0];
export const findClass = (code) => state.codes.classes.find((c) => c.code === classOf(code)) || null;
export const findCode = (code) => {
  const c = findClass(code);
  return c && (c.code === code ? c : c.subs.find((s) => s.code === code) || null);
};
export const nameOf = (code) => {
  const c = findClass(code),
    found = findCode(code);
  return !found ? code : found === c ? c.name : `${c.name}: ${found.name}`;
};

export const emptyForm = () => ({
  item_judgement: "valid",
  proposed_gold: "",
  response_judgement: null,
  primary: null,
  spans: [],
  cells: [],
  further: [],
  severity: null,
  confidence: null,
  rationale: "",
});

export function judgement() {
  const form = state.form,
    failure = form.response_judgement === "failure";
  const labels =
    !failure || !form.primary
      ? []
      : [
          { code: form.primary, primary: true, spans: form.spans, cells: form.cells },
          ...form.further.filter((code) => code !== form.primary).map((code) => ({ code, primary: false })),
        ];
  return {
    item_judgement: form.item_judgement,
    response_judgement: form.response_judgement,
    labels,
    proposed_gold:
      form.item_judgement === "gold_wrong" && form.proposed_gold.trim() ? form.proposed_gold.trim() : null,
    severity: failure ? form.severity : null,
    confidence: form.confidence,
    rationale: form.rationale.trim() || null,
  };
}

export function lacking() {
  const form = state.form;
  if (form.response_judgement === null) return "Judge the response first: a, r, w, n, or a class letter.";
  if (form.item_judgement === "gold_wrong" && !form.proposed_gold.trim())
    return "The gold is called wrong: propose the right one.";
  if (form.response_judgement !== "failure") return null;
  if (!form.primary) return "A failure needs a primary label: press a class letter.";
  return form.severity === null ? "A failure needs a severity: press 0 to 4, or - if not applicable." : null;
}

export function say(text, tone = "warn") {
  state.message = text ? { text, tone } : null;
  state.draw();
}

// Every change goes through here: it can be undone, it is kept as a draft, and the first judgement is saved.
function change(fields, { quiet = false } = {}) {
  if (state.sending || state.feedback) return;
  const first =
    state.form.response_judgement === null && fields.response_judgement && state.item.revision === 0;
  if (!quiet) state.past = [...state.past, state.form].slice(-MOST_STEPS_BACK);
  state.form = { ...state.form, ...fields };
  state.message = null;
  if (first) state.firstJudgement();
  if (!quiet) state.draw();
  state.changed();
}

export function undo() {
  const now = JSON.stringify(state.form);
  let before = state.past.pop();
  while (before && JSON.stringify(before) === now) before = state.past.pop();
  if (!before) {
    say("Nothing to undo on this item.", "note");
    return;
  }
  state.form = before;
  state.pendingClass = state.adding = state.message = null;
  state.draw();
  state.changed();
}

export const write = (field, text) => change({ [field]: text }, { quiet: true });
export const remember = () => {
  state.past = [...state.past, state.form].slice(-MOST_STEPS_BACK);
};
export function choose(field, value) {
  if (field === "response_judgement" && value !== "failure") state.pendingClass = state.adding = null;
  change({ [field]: value });
}
export function choosePrimary(code, more = {}) {
  state.pendingClass = code === classOf(code) && findClass(code).subs.length ? code : null;
  change({
    response_judgement: "failure",
    primary: code,
    further: state.form.further.filter((c) => c !== code),
    ...more,
  });
}
export function chooseFurther(code) {
  const { further, primary } = state.form,
    chosen = further.includes(code);
  const sub = code !== classOf(code);
  state.adding = !sub && !chosen && findClass(code).subs.length ? code : null;
  if (code === primary) {
    say("That is the primary label already.");
    return;
  }
  // A sub-class says more than its class: it takes its place.
  const rest = further.filter((one) => one !== code && !(sub && one === classOf(code)));
  change({ further: chosen ? rest : [...rest, code] });
}
export const cycleConfidence = () =>
  change({ confidence: { null: 1, 1: 2, 2: 3, 3: null }[state.form.confidence] });
export function takeSuggestion(place) {
  const found = state.item.suggestions[place];
  if (found) choosePrimary(found.code, { spans: found.spans, cells: found.cells });
}

export const spansOver = (span) => state.form.spans.filter((one) => overlap(one, span));
export function addSpan(span) {
  const spans = withSpan(state.form.spans, span);
  if (spans.length > MOST_EVIDENCE)
    say(`${MOST_EVIDENCE} pieces of evidence are the most; take one away first.`);
  else change({ spans });
}
export const dropSpan = (span) => change({ spans: state.form.spans.filter((one) => !overlap(one, span)) });
export const toggleSpan = (span) => (spansOver(span).length ? dropSpan(span) : addSpan(span));
export const hasCell = (cells, record, vital) => cells.some((c) => c.record === record && c.vital === vital);
export function toggleCell(record, vital) {
  const { cells } = state.form;
  if (hasCell(cells, record, vital))
    change({ cells: cells.filter((c) => c.record !== record || c.vital !== vital) });
  else if (cells.length >= MOST_EVIDENCE) say(`${MOST_EVIDENCE} cells are the most; take one away first.`);
  else change({ cells: [...cells, { record, vital }] });
}
