// The sentences of the answer, then those of its reference: each gets a verdict by a key, and a harm where one
// is asked; the next open one comes into sight by itself.
import { el, option } from "../components/dom.js";
import { _ } from "../components/language.js";
import { howItEnded, modelThinking } from "../components/prompt_and_thinking.js";
import { bringIntoSight } from "./criteria.js";
import { judgeClaim, state } from "./state.js";

const sheet = () => state.item?.claims ?? null;
const asked = () => (sheet() ? [...sheet().answer, ...sheet().reference] : []);
const given = ({ key }) => state.form.claims?.[key] ?? null;
const parts = (verdict) => (verdict ?? "").split(":");
const verdictsOf = ({ key }) => state.codes.claims[key[0] === "a" ? "answer" : "reference"];
const verdictOf = (claim) => verdictsOf(claim).find((one) => one.value === parts(given(claim))[0]) ?? null;
const harmOf = (claim) => state.codes.claims.harms.find((one) => one.value === parts(given(claim))[1]) ?? null;
const needsHarm = (claim) => Boolean(verdictOf(claim)?.harmful);
const isOpen = (claim) => !verdictOf(claim) || (needsHarm(claim) && !harmOf(claim));

// The sentence that the keys judge: the one gone back to, else the first open one; null once all are judged.
const current = () => asked().find(({ key }) => key === state.criterion) ?? asked().find(isOpen) ?? null;

// What must be judged before the verdicts are locked or submitted, in words; null if nothing must.
export function missingClaims() {
  const left = asked().filter(isOpen).length;
  return left ? _("Say of each sentence what holds: {n} of {all} are open.", { n: left, all: asked().length }) : null;
}

// A verdict that asks for a harm stays the current one until that is given.
function judge(claim, verdict, harm = null) {
  const waits = verdict.harmful && !harm;
  state.criterion = waits ? claim.key : null;
  judgeClaim(claim.key, harm ? `${verdict.value}:${harm.value}` : verdict.value);
  bringIntoSight();
}

function goTo(claim) {
  state.criterion = claim.key;
  state.draw();
  bringIntoSight();
}

function goBack() {
  const all = asked(),
    at = current() ? all.indexOf(current()) : all.length;
  goTo(all[Math.max(0, at - 1)]);
}

// What a key does here; null where it does nothing.
export function claimAction(key) {
  if (!asked().length) return null;
  if (key === state.codes.claims.back_key) return goBack;
  const now = current();
  if (!now) return null;
  const verdict = verdictsOf(now).find((one) => one.key === key),
    harm = needsHarm(now) && state.codes.claims.harms.find((one) => one.key === key);
  return verdict ? () => judge(now, verdict) : harm ? () => judge(now, verdictOf(now), harm) : null;
}

export function claimsHelp() {
  if (!sheet()) return null;
  const { answer, reference, harms, back_key } = state.codes.claims;
  return [
    ...answer.map(({ key, label }) => [key, label]),
    [reference.map(({ key }) => key).join(" "), reference.map(({ label }) => label).join(", ")],
    ...harms.map(({ key, label }) => [key, label]),
    [back_key, _("back to the sentence before")],
  ];
}

const wordsOf = (claim) => [verdictOf(claim), harmOf(claim)].filter(Boolean).map(({ label }) => label).join(", ");

function choices(name, claim, options, chosen, choose) {
  const label = `${name}: ${claim.text}`;
  const buttons = options.map((one) =>
    option(`claim-${claim.key}-${one.value}`, one.label, one.key, one === chosen, () => choose(one)),
  );
  return el("div", { class: "cn-options cn-three", role: "group", "aria-label": label }, buttons);
}

function currentRow(claim) {
  return el(
    "li",
    { class: "ab-criterion ab-claim ab-now", "aria-current": "true" },
    el("p", {}, claim.text),
    choices(_("Verdict"), claim, verdictsOf(claim), verdictOf(claim), (one) => judge(claim, one)),
    needsHarm(claim)
      ? [
          el("p", { class: "ab-hint" }, _("Harm, if somebody acts on the answer:")),
          choices(_("Harm"), claim, state.codes.claims.harms, harmOf(claim), (one) => judge(claim, verdictOf(claim), one)),
        ]
      : null,
  );
}

// Any other sentence: a press makes it the current one.
function otherRow(claim) {
  const said = wordsOf(claim);
  return el(
    "li",
    { class: "ab-criterion ab-claim" + (isOpen(claim) ? "" : " ab-judged") },
    el("p", {}, claim.text),
    option(`claim-${claim.key}`, said || _("Not judged yet"), null, false, () => goTo(claim), {
      class: "ab-verdict",
      "aria-pressed": null,
      "aria-label": _("{verdict}. Judge again: {text}", { verdict: said || _("Not judged yet"), text: claim.text }),
    }),
  );
}

function list(title, claims) {
  const now = current(),
    done = claims.filter((one) => !isOpen(one)).length;
  return el(
    "section",
    { class: "ab-criteria ab-claims", "aria-label": title },
    el("h2", {}, title, " ", el("small", { role: "status" }, _("{n} of {all} judged", { n: done, all: claims.length }))),
    el("ol", {}, claims.map((one) => (one === now ? currentRow(one) : otherRow(one)))),
  );
}

export function claimLists() {
  const { item } = state,
    { answer, reference } = sheet();
  return [
    answer.length
      ? list(_("The answer’s sentences"), answer)
      : el("p", { class: "ab-hint" }, item.text.trim() ? _("(the answer has no sentence)") : _("(the model wrote nothing)")),
    howItEnded(item),
    modelThinking(item),
    reference.length ? list(_("The reference’s sentences: does the answer state them?"), reference) : null,
  ];
}

export const claimsStep = () => {
  const { follows, reference } = sheet();
  if (follows) return [_("Step 1 of 2: the answer"), _("Does the text support each sentence? The reference comes next.")];
  return reference.length ? [_("Step 2 of 2: the reference"), _("Does the answer state each of its sentences?")] : null;
};
