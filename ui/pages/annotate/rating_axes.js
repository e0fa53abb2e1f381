// The axes of a ratings study: each answer gets a point on the marked axis by one digit, and the next open one is marked.
import { el, option } from "../components/dom.js";
import { valueOf } from "../components/judgement_rules.js";
import { _ } from "../components/language.js";
import { choose, questions, state } from "./state.js";

const BACK_KEY = "b";
const axes = () => questions().filter(({ kind }) => kind === "axis");
const given = ({ name }) => valueOf(state.form, name);

// The axis that the digits rate: the one gone back to, else the first open one; null once all are rated.
const current = () => axes().find(({ name }) => name === state.criterion) ?? axes().find((one) => given(one) === null) ?? null;

function bringIntoSight() {
  document.querySelector(".ab-rating.ab-now")?.scrollIntoView({ block: "nearest" });
}

function rate(name, value) {
  state.criterion = null;
  choose(name, value);
  bringIntoSight();
}

function goBack() {
  const all = axes(),
    at = current() ? all.indexOf(current()) : all.length;
  state.criterion = all[Math.max(0, at - 1)].name;
  state.draw();
  bringIntoSight();
}

// What a key does here; null where it does nothing.
export function axisAction(key) {
  if (!axes().length) return null;
  if (key === BACK_KEY) return goBack;
  const now = current(),
    point = now?.options.find(({ digit }) => digit === key);
  return point ? () => rate(now.name, point.value) : null;
}

export const axesHelp = () =>
  axes().length
    ? [
        [_("digit"), _("a point on the marked axis; then the next one is marked")],
        [BACK_KEY, _("back to the axis before")],
      ]
    : null;

export function axesHeading() {
  const all = axes();
  if (!all.length) return null;
  const rated = all.filter((one) => given(one) !== null).length;
  return el(
    "div",
    { class: "ab-step" },
    el("h2", {}, _("How good is the answer?")),
    el("p", { role: "status" }, _("{n} of {all} axes rated", { n: rated, all: all.length })),
  );
}

export function axisField(question) {
  const { name, label, options, ends } = question,
    isNow = question.name === current()?.name;
  const points = options.map((one) =>
    option(
      `${name} ${one.value}`,
      one.label,
      isNow && one.digit !== one.label ? one.digit : null,
      given(question) === one.value,
      () => rate(name, one.value),
      one.means ? { "aria-label": `${one.label}: ${one.means}`, title: one.means } : {},
    ),
  );
  const named = options.some((one) => one.label.length > 2);
  return [
    el(
      "fieldset",
      { class: "ab-rating" + (isNow ? " ab-now" : ""), "aria-current": isNow ? "true" : null },
      el("legend", {}, label),
      el("div", { class: "cn-options ab-points" + (named ? " ab-named" : "") }, points),
      ends.some((one) => one) ? el("p", { class: "ab-ends", "aria-hidden": "true" }, ends.map((one) => el("span", {}, one))) : null,
    ),
  ];
}
