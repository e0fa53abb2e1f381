// Entry point of the annotate page, in an element hosted by Gradio.
import { button, el, keepChildren, lastingDiv, redraw } from "../components/dom.js";
import { connectCodebook } from "../components/codebook.js";
import { _ } from "../components/language.js";
import { keepChosenInSight, keepFormHeight } from "./form_height.js";
import { judgementForm } from "./judgement_form.js";
import { actionBar, connectButtons, progressBar, itemRemarks, dataUseTerms } from "./progress_and_buttons.js";
import { answersLink, connectAnswers } from "./adjudicator_answers.js";
import { setDefaultCodes } from "./guidelines.js";
import * as autosave from "./autosave.js";
import { connectKeys, onKey } from "./keyboard_shortcuts.js";
import { hasSidePanel, sidePanel, connectPanels } from "./panels.js";
import { itemPanel } from "./item_panel.js";
import { showItemView } from "./custom_item_component.js";
import { handleReply, showWaiting } from "./server_replies.js";
import { feedbackSection } from "./gold_and_feedback.js";
import { open as openPractice } from "./practice_items.js";
import { actions } from "./requests.js";
import { connectQueue, notify, post, takePending } from "./request_queue.js";
import { isChecked, isPair, isPractice, state } from "./state.js";
import { connectStudies, studyList } from "./study_chooser.js";

let root, hasItemView, fitForm;

// Redraw; if content above the form changes height, scroll so that the form stays in place on the screen.
function draw() {
  const same = root.dataset.assignment === (state.item?.assignment_id ?? "");
  root.dataset.assignment = state.item ? state.item.assignment_id : "";
  const top = () => root.querySelector(".ab-decide")?.getBoundingClientRect().top;
  const before = top();
  root.classList.toggle("cn-keys-off", !state.keysOn);
  root.toggleAttribute("data-busy", state.sending);
  const change = () => {
    keepChildren(root, state.item ? itemView() : [emptyView()]);
    fitForm();
    const after = top();
    if (same && before < window.innerHeight && after !== before)
      window.scrollBy({ top: after - before, behavior: "instant" });
  };
  redraw(root, change, { sameContent: same });
  if (state.adding) root.querySelector(".ab-adding")?.scrollIntoView({ block: "nearest" });
  else if (state.message) keepChosenInSight(root);
  if (!same) showItemView(isPractice() ? "" : root.dataset.assignment, hasItemView);
}
const grid = lastingDiv();
function itemView() {
  const side = state.feedback ? feedbackSection(actions.forward) : judgementForm();
  return [
    progressBar(),
    dataUseTerms(),
    itemRemarks(),
    grid(
      { class: "ab-grid" + (hasSidePanel() ? " ab-with-panel" : "") + (isPair() ? " ab-compares" : "") + (state.item.kind === "ratings" ? " ab-rates" : "") + (isChecked() ? " ab-checks" : "") },
      sidePanel(),
      itemPanel(),
      el("div", { class: "ab-side" }, side, state.feedback ? null : actionBar()),
    ),
  ].filter(Boolean);
}
const goOn = () => [
  button(_("Go on with the study “{study}”", { study: state.nextStudy }), "]", actions.forward, { class: "cn-button cn-primary", "data-k": "go-on" }),
  el("a", { class: "cn-button", href: "/home/" }, _("Home")),
];
function emptyView() {
  const text = state.done || state.message?.text || _("Loading your next item…");
  return el(
    "div",
    { class: "ab-idle" },
    el("p", { class: "cn-note", role: "status" }, text),
    state.done && state.nextStudy ? goOn() : null,
    state.done && !state.nextStudy && state.studies.length ? studyList() : null,
    state.done && state.firstAside
      ? button(_("The first item put aside"), null, () => actions.open(state.firstAside), { class: "cn-button cn-primary", "data-k": "aside" })
      : null,
    state.done && state.mayGoBack ? button(_("Look at my last item again"), "[", actions.back, { class: "cn-button" }) : null,
    answersLink(),
    state.done && !state.nextStudy ? button(_("Look for more"), "]", actions.forward, { class: "cn-button" }) : null,
    state.done && !state.nextStudy ? button(_("Five practice items"), null, () => openPractice(0), { class: "cn-button", "data-k": "practice" }) : null,
    el("p", { class: "ab-state", role: "status" }),
  );
}

// Load the first item, after resending any request that was unanswered when the page was closed.
function loadFirst() {
  const pending = takePending();
  if (pending) post(pending.name, () => pending.out);
  const asked = new URLSearchParams(location.search);
  post("load", () => ({ assignment_id: pending ? null : asked.get("item"), study: asked.get("study") }));
  // The server keeps the choice: a reload must not undo one made on the page meanwhile.
  if (asked.has("study")) history.replaceState(null, "", location.pathname);
}

export function start(element, props) {
  root = element.querySelector(".ab-root");
  hasItemView = props.item_view;
  fitForm = keepFormHeight(root);
  setDefaultCodes(props.codes);
  Object.assign(state, { draw, changed: autosave.scheduleDraft });
  connectQueue({ waiting: showWaiting, answered: handleReply });
  connectCodebook({
    codes: () => state.codes,
    isOpen: () => state.panel === "codebook",
    setOpen: (open) => { state.panel = open ? "codebook" : null; },
    draw: () => state.draw(),
    openClass: () => state.openClass || (state.adding !== "class" && state.adding),
  });
  [connectAnswers, connectButtons, connectKeys, connectPanels, connectStudies].forEach((give) => give(actions));
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => {
    const draft = document.hidden && autosave.isDraftPending() && autosave.draftRequest();
    if (draft) notify("save_draft", draft);
  });
  draw();
  loadFirst();
}
