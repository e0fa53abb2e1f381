// The criteria of the item below the answer: each is ticked by a key, and the next open one comes into sight.
import { el, option } from "../components/dom.js";
import { _ } from "../components/language.js";
import { state, tick } from "./state.js";

const verdicts = () => state.codes.verdicts;
const wordOf = (value) => verdicts().find((one) => one.value === value).label;

const criteria = () => (state.feedback ? [] : state.item.criteria);
const given = ({ key }) => state.form.criteria?.[key] ?? null;
const openCriteria = () => criteria().filter((one) => given(one) === null);

// The criterion that the keys tick: the one gone back to, else the first open one; null once all are ticked.
const current = () => criteria().find(({ key }) => key === state.criterion) ?? openCriteria()[0] ?? null;

// What must be ticked before the judgement is locked or submitted, in words; null if nothing must.
export function missingTicks() {
  const left = openCriteria().length;
  return left
    ? _("Say of each criterion whether the answer meets it: {n} of {all} are open.", { n: left, all: criteria().length })
    : null;
}

export function bringIntoSight() {
  document.querySelector(".ab-criterion.ab-now")?.scrollIntoView({ block: "nearest" });
}

function tickAndGoOn(key, value) {
  state.criterion = null;
  tick(key, value);
  bringIntoSight();
}

// Go back to the criterion before the current one, to tick it anew.
function goBack() {
  const all = criteria(),
    at = current() ? all.indexOf(current()) : all.length;
  state.criterion = all[Math.max(0, at - 1)].key;
  state.draw();
  bringIntoSight();
}

// What a key does here; null where it does nothing.
export function criterionAction(key) {
  if (!criteria().length) return null;
  if (key === state.codes.back_key) return goBack;
  const verdict = verdicts().find((one) => one.key === key),
    now = current();
  return verdict && now ? () => tickAndGoOn(now.key, verdict.value) : null;
}

export const criteriaHelp = () =>
  state.item?.criteria.length
    ? [...verdicts().map(({ key, label }) => [key, label]), [state.codes.back_key, _("back to the criterion before")]]
    : null;

function criterionRow(one, isNow) {
  const { key, text, proposed } = one;
  const buttons = verdicts().map(({ value, label, key: press }) =>
    option(`criterion-${key}-${value}`, label, isNow ? press : null, given(one) === value, () => tickAndGoOn(key, value)),
  );
  return el(
    "li",
    { class: "ab-criterion" + (isNow ? " ab-now" : ""), "aria-current": isNow ? "true" : null },
    el("p", {}, text),
    proposed ? el("p", { class: "ab-hint" }, _("The scorer says: {verdict}", { verdict: wordOf(proposed) })) : null,
    el("div", { class: "cn-options cn-three", role: "group", "aria-label": text }, buttons),
  );
}

export function criteriaSection() {
  const all = criteria();
  if (!all.length) return null;
  const now = current();
  return el(
    "section",
    { class: "ab-criteria", "aria-label": _("Criteria") },
    el(
      "h2",
      {},
      _("Does the answer meet these criteria?"),
      " ",
      el("small", { role: "status" }, _("{n} of {all} ticked", { n: all.length - openCriteria().length, all: all.length })),
    ),
    el("ol", {}, all.map((one) => criterionRow(one, one === now))),
  );
}
