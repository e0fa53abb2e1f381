// The tour: six short steps that point at the parts of the page, then the offer to practise. It is modal, so nothing
// can be judged meanwhile, and its time is no working time.
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { pauseClock } from "./active_time.js";
import { open as openPractice } from "./practice_items.js";
import { post } from "./request_queue.js";

const STEPS = [
  {
    title: _("The question"),
    text: _("This is what a model was asked, and below it the form of answer that it was asked for."),
    around: [".ab-question", ".cn-demand"],
  },
  {
    title: _("The records"),
    text: _("What the question is about. Where there are records, the button beside “Records” shows the same as text; y switches."),
    around: [".ab-material, .ab-context-box"],
  },
  {
    title: _("The answer"),
    text: _("What the model wrote. Click a number to mark what speaks for your judgement; by keyboard, the full stop goes from number to number and space marks."),
    around: [".ab-answer, .ab-text"],
  },
  {
    title: _("Your judgement"),
    text: _("Is the answer acceptable? If it is a failure, choose its class by letter. The small i beside each says what it means."),
    around: [".ab-first"],
  },
  {
    title: _("Step 1: lock it without the gold answer"),
    text: _("Enter locks what you think of the response before you see the gold answer. Until then your draft is kept and counts for nothing."),
    around: ["[data-k='submit']"],
  },
  {
    title: _("Step 2: judge with the gold answer"),
    text: _("Then the gold answer appears below the answer. Judge the question itself, change what now looks different, and Enter submits."),
    around: [".ab-step"],
  },
];
const OFFER = {
  title: _("Do you want to practise first?"),
  text: _("Five built-in items, in the same form, with an expert's answer at once. Nothing of it is saved."),
  around: [],
};
const GAP = 12;
const NOWHERE = { left: -99, top: -99, width: 0, height: 0 };
let dialog = null, // the open tour
  place = 0,
  first = false; // whether it began by itself

export const isTourOpen = () => dialog !== null;

// `first`: it begins by itself, and the server keeps how it ended.
export function startTour(options = {}) {
  const host = document.querySelector(".ab-page");
  if (dialog || !host) return;
  first = Boolean(options.first);
  place = 0;
  pauseClock(true);
  dialog = el("dialog", { class: "ab-tour", "aria-labelledby": "ab-tour-title", "aria-describedby": "ab-tour-text" });
  dialog.addEventListener("keydown", onKey);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    end(place < STEPS.length ? "skipped" : "seen");
  });
  // The live region stays while the steps change, so that each is read out.
  dialog.append(el("div", { class: "ab-tour-step" }), el("div", { class: "cn-sr", role: "status" }));
  host.append(dialog);
  dialog.showModal();
  window.addEventListener("resize", placeDialog);
  show();
}

function end(how) {
  window.removeEventListener("resize", placeDialog);
  dialog.close();
  dialog.remove();
  dialog = null;
  pauseClock(false);
  if (first) post("tour", () => ({ end: how }));
}

const steps = [...STEPS, OFFER];
function move(by) {
  const next = place + by;
  if (next < 0 || next >= steps.length) return;
  place = next;
  show();
}
function onKey(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by) {
    event.preventDefault();
    move(by);
  }
}

function buttons() {
  const quiet = { class: "cn-button cn-quiet" },
    main = { class: "cn-button cn-primary", "data-main": true };
  const back = place ? button(_("Back"), "←", () => move(-1), quiet) : null;
  if (place < STEPS.length)
    return [back, button(_("Skip the tour"), "Esc", () => end("skipped"), quiet), button(_("Next"), "⏎", () => move(1), main)];
  const practise = () => {
    end("seen");
    openPractice(0);
  };
  return [
    back,
    button(_("Go to my items"), "Esc", () => end("seen"), quiet),
    button(_("Five practice items"), "⏎", practise, main),
  ];
}

function show() {
  const { title, text } = steps[place];
  dialog.querySelector(".ab-tour-step").replaceChildren(
    el("div", { class: "ab-tour-ring", "aria-hidden": "true" }),
    el(
      "div",
      { class: "ab-tour-card" },
      el("p", { class: "ab-tour-count" }, place < STEPS.length ? _("Step {n} of {total}", { n: place + 1, total: STEPS.length }) : ""),
      el("h2", { id: "ab-tour-title" }, title),
      el("p", { id: "ab-tour-text" }, text),
      el("div", { class: "ab-row" }, buttons()),
    ),
  );
  for (const one of steps[place].around.slice(0, 1))
    document.querySelector(".ab-root").querySelector(one)?.scrollIntoView({ block: "center", behavior: "instant" });
  placeDialog();
  dialog.querySelector("[data-main]").focus({ preventScroll: true });
  dialog.querySelector("[role='status']").textContent = place ? `${title}. ${text}` : "";
}

// The ring around all that the step points at, and the card beside it where it fits, else at the bottom.
function placeDialog() {
  const boxes = steps[place].around.flatMap((one) => {
    const found = document.querySelector(".ab-root").querySelector(one);
    return found ? [found.getBoundingClientRect()] : [];
  });
  const ring = dialog.querySelector(".ab-tour-ring"),
    card = dialog.querySelector(".ab-tour-card"),
    { innerWidth: width, innerHeight: height } = window;
  const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))],
    [right, bottom] = [Math.max(...boxes.map((b) => b.right)), Math.max(...boxes.map((b) => b.bottom))];
  const around = boxes.length ? { left, top, width: right - left, height: bottom - top } : NOWHERE;
  Object.assign(ring.style, px(around));
  const own = card.getBoundingClientRect(),
    low = height - own.height - GAP;
  const at = !boxes.length
    ? { left: (width - own.width) / 2, top: (height - own.height) / 2 }
    : bottom + GAP <= low
      ? { left, top: bottom + GAP }
      : top - GAP - own.height >= GAP
        ? { left, top: top - GAP - own.height }
        : { left: left > width - right ? left - GAP - own.width : right + GAP, top: low };
  Object.assign(card.style, px({ left: Math.max(GAP, Math.min(at.left, width - own.width - GAP)), top: at.top }));
}
const px = (lengths) => Object.fromEntries(Object.entries(lengths).map(([name, n]) => [name, `${Math.round(n)}px`]));
