// Entry point of the adjudicate page: server calls, keyboard shortcuts and layout, in an element hosted by
// Gradio.
import { closeCodebook, codebookAction, connectCodebook } from "../components/codebook.js";
import { button, el, isFieldFocused, isButtonFocused, redraw } from "../components/dom.js";
import { _, ngettext } from "../components/language.js";
import {
  findClass,
  firstMissing,
  judgementOf,
  keyboardHelpSections,
  optionForKey,
} from "../components/judgement_rules.js";
import { connect } from "../components/rpc.js";
import { codebookButton, codebookPanel } from "./codebook_panel.js";
import { connectContestsAndFlags, contestSection, flagSection, threadsSection } from "./contests_and_flags.js";
import { decisionForm } from "./decision_form.js";
import { decidedAnswers, digitsForPositions, isDisputed, judgesFailures, missingDecision, questionAction, questionKeys } from "./disputed_questions.js";
import { itemDisplay, dataUseTerms } from "./item_display.js";
import {
  choose,
  chooseClass,
  discardOwnJudgement,
  dropUnsaved,
  emptyForm,
  pickPosition,
  replaceItem,
  showMessage,
  state,
  visibleQuestions,
} from "./state.js";

const server = connect("adjudicate", { waitMs: 20000 });
let root, live, busy = false;

// ---------- server calls: one at a time, without automatic retries
const itemReference = () => (state.item ? { study_id: state.item.study_id, item: state.item.item } : {});
const currentItem = () => ({ item: state.item?.item ?? null });

async function callServer(action, message) {
  if (busy) return;
  busy = true;
  root.toggleAttribute("data-busy", true);
  const { reply, failure } = await server.call(action, message);
  busy = false;
  root.removeAttribute("data-busy");
  if (reply) applyReply(reply);
  else {
    const advice = failure.again ? [_("Nothing is lost in this page; try again.")] : [];
    showMessage([failure.text, ...advice].join(" "), "bad");
  }
}
const callForItem = (action, message) => callServer(action, { ...itemReference(), ...message });
const actions = {
  open: (study_id, item) => callServer("open", { study_id, item }),
  defer: () => callServer("defer", currentItem()),
  previous: () => callServer("previous", currentItem()),
  choose: (study_id) => callServer("choose", { study_id }),
};
function applyReply(reply) {
  state.message = reply.message ? { text: reply.message, tone: reply.kind === "error" ? "bad" : "note" } : null;
  if (reply.queue) state.queue = reply.queue;
  let focus = null;
  if (reply.kind === "uphold_preview") {
    state.upholdPreview = { ...reply.uphold_preview, claim: reply.claim };
    focus = ".aj-uphold-preview";
  } else if (reply.kind === "error") {
    if (reply.item) showItem(reply.item, true);
    focus = ".aj-message";
  } else if (reply.kind === "done") {
    state.item = null;
    dropUnsaved();
  } else showItem(reply.item, false);
  draw(focus);
}
function showItem(item, stay) {
  replaceItem(item, stay);
  live.textContent = item.question;
}

// ---------- deciding
function missingLabels() {
  const { item, picked, form } = state;
  if (!judgesFailures() || picked !== null) return null;
  return form
    ? firstMissing(item.codes.questions, form)?.required
    : _("Choose one of the judgements with “Take over” (1 to 9), or give one under “A judgement of your own” (a, r, w, n or a class letter).");
}
function decide() {
  const { item, picked, form, comment } = state;
  if (!item.due.length) {
    showMessage(_("Nothing is due on this item; decide the contest, answer the flag or the reply, or go on (l)."), "warn");
    return;
  }
  const missing = missingLabels() || missingDecision();
  if (missing) return showMessage(missing, "warn");
  const labels = !judgesFailures() ? {} : form && picked === null ? { judgement: judgementOf(item.codes.questions, form) } : { position: picked };
  if (picked !== null && !isDisputed()) dropUnsaved();
  callForItem("decide", { seen: item.seen, ...labels, answers: decidedAnswers(), comment });
}

// ---------- keys
function escape() {
  if (state.codebookOpen) closeCodebook();
  else if (isFieldFocused()) document.activeElement.blur();
  else if (state.upholdPreview) {
    state.upholdPreview = null;
    draw();
  } else if (state.form) discardOwnJudgement();
}
function onKey(event) {
  if (!root.isConnected) {
    document.removeEventListener("keydown", onKey);
    return;
  }
  const { item, keysOn } = state, modified = event.ctrlKey || event.metaKey;
  if (event.key === "Escape") escape();
  else if (event.key === "Enter" && item && modified && document.activeElement?.id === "aj-comment") {
    event.preventDefault();
    decide();
  } else if (item && keysOn && !isFieldFocused() && !modified && !event.altKey) {
    const action = event.key === "Enter" ? !isButtonFocused() && decide : (event.shiftKey && codebookAction(event)) || keyAction(event.key.toLowerCase());
    if (!action) return;
    event.preventDefault();
    action();
  }
}
function keyAction(key) {
  const { item, form, pendingClass } = state, { codes } = item;
  const deciding = questionAction(key);
  if (deciding) return deciding;
  if (!judgesFailures()) return movingAction(key);
  const sub = pendingClass && findClass(codes, pendingClass).subs.find((one) => one.key === key);
  if (sub)
    return () => {
      state.pendingClass = null;
      chooseClass(sub.code);
    };
  const found = optionForKey(visibleQuestions(), form || emptyForm(), key);
  if (found) return () => choose(found.question.name, found.option.value);
  if (/^[1-9]$/.test(key) && Number(key) <= digitsForPositions() && !form) return () => pickPosition(Number(key) - 1);
  const group = codes.classes.find((one) => one.key === key);
  return group ? () => chooseClass(group.code) : movingAction(key);
}
function movingAction(key) {
  return {
    t: () => root.querySelector("#aj-comment")?.focus(),
    l: actions.defer,
    "[": actions.previous,
    "?": () => {
      const sheet = root.querySelector(".aj-sheet");
      if (sheet) sheet.open = !sheet.open;
    },
  }[key];
}

// ---------- layout
const actionButton = (name, text, onclick, css = "", more = {}) =>
  button(text, null, onclick, { class: `cn-button ${css}`, "data-k": name, ...more });

function messageBox() {
  const { message } = state;
  return el(
    "div",
    { class: "aj-message" + (message ? " cn-note cn-" + message.tone : ""), role: "alert", tabindex: "-1" },
    message ? message.text : "",
  );
}
function toggleKeys() {
  state.keysOn = !state.keysOn;
  localStorage.setItem("cn-keys", state.keysOn ? "on" : "off");
  draw();
}
const countsText = ({ due, contested, flagged, replied }) =>
  [
    ngettext("{n} disagreement", "{n} disagreements", due),
    ngettext("{n} contested item", "{n} contested items", contested),
    ngettext("{n} flag", "{n} flags", flagged),
    ...(replied ? [ngettext("{n} reply", "{n} replies", replied)] : []),
  ].join(", ");

// Which study comes first; only if something waits in several.
function studyChoice() {
  const { studies } = state.queue;
  if (!studies.length) return null;
  const choice = ({ study_id, name, counts, deadline, chosen }) =>
    el(
      "li",
      {},
      button([el("b", {}, name), ` ${countsText(counts)}`, deadline ? ` (${deadline})` : null], null, () => actions.choose(study_id), {
        class: "aj-entry",
        "aria-pressed": String(chosen),
        "data-k": `study-${study_id}`,
      }),
    );
  return el("ul", { class: "aj-studies", "aria-label": _("Study that comes first") }, studies.map(choice));
}
function queueLine() {
  const { queue, item, keysOn, queueOpen } = state;
  const entry = (one) =>
    el(
      "button",
      {
        type: "button",
        class: "aj-entry",
        "aria-current": item?.item === one.item ? "true" : null,
        onclick: () => {
          state.queueOpen = false;
          actions.open(one.study_id, one.item);
        },
      },
      el("span", { class: "cn-muted" }, one.study + " "),
      one.why,
    );
  const list = el(
    "details",
    { class: "aj-queue", open: queueOpen, ontoggle: (event) => { state.queueOpen = event.target.open; } },
    el("summary", {}, _("Waiting: {counts}", { counts: countsText(queue) })),
    studyChoice(),
    el("ol", {}, queue.items.map((one) => el("li", {}, entry(one)))),
    queue.more ? el("p", { class: "cn-muted" }, _("and {n} more", { n: queue.more })) : null,
  );
  const toggle = actionButton("keys", keysOn ? _("Keys on") : _("Keys off"), toggleKeys, "cn-quiet", { "aria-pressed": String(keysOn) });
  return el("div", { class: "aj-top" }, list, item ? el("span", { class: "cn-muted" }, item.study) : null, queue.deadline ? el("span", { class: "aj-deadline cn-muted" }, queue.deadline) : null, toggle, item && judgesFailures() ? codebookButton() : null, item ? keySheet() : null);
}
function keySheet() {
  const { codes } = state.item;
  const letters = codes.classes.map((one) => [one.key, one.subs.length ? _("{name} (then its second letter)", one) : one.name]);
  const labels = () => keyboardHelpSections(visibleQuestions()).flatMap(({ question, lines }) => (question.kind === "primary" ? [...letters, ...lines] : lines));
  const ofFailures = () => [...labels(), ["Esc", _("Back to the positions")], ["⇧ i", _("codebook")]];
  const rows = [
    ...(judgesFailures() ? [[`1–${digitsForPositions()}`, _("Take a position over")]] : []),
    ["⏎", _("Decide and go on (Ctrl+⏎ from the comment)")],
    ...questionKeys(),
    ...(judgesFailures() ? ofFailures() : []),
    ["t", _("Comment")],
    ["l", _("Later: leave it waiting")],
    ["[", _("Back to what you decided")],
  ];
  const line = ([key, text]) => el("li", {}, el("kbd", {}, key), " " + text);
  return el("details", { class: "aj-sheet", "data-fold": "sheet" }, el("summary", {}, _("Key sheet (?)")), el("ul", { class: "aj-keys" }, rows.map(line)));
}
function actionBar() {
  return el(
    "div",
    { class: "aj-bar" },
    actionButton("back", _("Back"), actions.previous, "cn-quiet", { title: _("What you decided before ([)") }),
    actionButton("later", _("Later"), actions.defer, "cn-quiet", { title: _("Leave it waiting (l)") }),
    state.item.due.length ? actionButton("decide", _("Decide, next ⏎"), decide, "cn-primary") : null,
  );
}
function emptyView() {
  const { queue, message } = state;
  return [
    queue ? queueLine() : null,
    message ? messageBox() : el("div", { class: "cn-note", role: "status" }, _("Loading…")),
    queue || message ? el("div", { class: "aj-row" }, actionButton("previous", _("Look at what I decided last"), actions.previous)) : null,
  ];
}
function itemView() {
  const { queue, item } = state;
  const claims = [item.claims.map(contestSection), item.flags.map(flagSection), threadsSection()];
  const side = [messageBox(), claims, decisionForm(), actionBar()];
  return [
    queue ? queueLine() : null,
    dataUseTerms(),
    codebookPanel(),
    el("div", { class: "aj-grid" }, itemDisplay(), el("div", { class: "aj-side" }, side)),
  ];
}
function draw(focus = null) {
  root.classList.toggle("cn-keys-off", !state.keysOn);
  const now = state.item ? state.item.item : "", sameContent = root.dataset.item === now;
  root.dataset.item = now;
  const children = (state.item ? itemView() : emptyView()).filter(Boolean);
  redraw(root, () => root.replaceChildren(...children), { focus, sameContent });
}

export function start(element) {
  root = element.querySelector(".aj-root");
  live = element.querySelector(".aj-live");
  state.draw = draw;
  connectCodebook({
    codes: () => state.item.codes,
    isOpen: () => state.codebookOpen,
    setOpen: (open) => { state.codebookOpen = open; },
    draw: () => state.draw(),
    openClass: () => state.pendingClass,
  });
  connectContestsAndFlags(callForItem);
  document.addEventListener("keydown", onKey);
  draw();
  const study = new URLSearchParams(location.search).get("study");
  callServer("load", study ? { study: study.slice(0, 100) } : {});
}
