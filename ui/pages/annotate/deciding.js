// The judgement: response, labels in two levels, severity, item, confidence, rationale.
import { button, el, group, option } from "/static/components/dom.js";
import {
  choose,
  chooseFurther,
  choosePrimary,
  classOf,
  CONFIDENCES,
  findClass,
  findCode,
  ITEMS,
  nameOf,
  remember,
  RESPONSES,
  state,
  write,
} from "./state.js";

// Letters stand on the sub-classes only while they would be taken for them.
function subs(of, chosen, choosing, live) {
  return el(
    "div",
    { class: "ab-subs" },
    group(
      of.name + ": which?",
      live ? "second letter, if you like" : `${of.key}, then a letter`,
      of.subs.map((s) =>
        option(s.name, live ? s.key : null, chosen(s.code), () => choosing(s.code), { title: s.definition }),
      ),
    ),
  );
}

function primary() {
  const { form, codes } = state,
    chosen = findClass(form.primary),
    shown = findCode(form.primary);
  return [
    group(
      "Primary label",
      "the first error",
      codes.classes.map((c) =>
        option(c.name, c.key, chosen?.code === c.code, () => choosePrimary(c.code), { title: c.definition }),
      ),
    ),
    chosen && chosen.subs.length
      ? subs(
          chosen,
          (code) => form.primary === code,
          (code) => choosePrimary(form.primary === code ? chosen.code : code),
          state.pendingClass === chosen.code,
        )
      : null,
    el(
      "p",
      { class: "ab-help" },
      shown
        ? shown.definition
        : "Of several errors, the first in the order read, select, rule, compute, round and unit, express.",
    ),
  ];
}

function severity() {
  const { form, codes } = state,
    level = codes.severities.find((s) => s.value === form.severity);
  return [
    group(
      "Severity",
      "worst credible harm",
      codes.severities.map((s) =>
        option(
          s.short,
          s.key === s.short ? null : s.key,
          form.severity === s.value,
          () => choose("severity", s.value),
          { title: s.name, "aria-label": `Severity ${s.short}: ${s.name}` },
        ),
      ),
      "ab-six",
    ),
    el(
      "p",
      { class: "ab-help" },
      level
        ? `${level.short}: ${level.name}. ${level.example}`
        : "0 no effect … 4 death or permanent harm, if a clinician who cannot see the record acts on this answer.",
    ),
  ];
}

function further() {
  const { form, codes, adding } = state;
  const chips = form.further.map((code) =>
    button(nameOf(code), null, () => chooseFurther(code), {
      class: "ab-chip",
      "aria-label": `Take away the further label ${nameOf(code)}`,
      "data-k": "further-" + code,
    }),
  );
  const toggle = button(
    adding ? "Enough " : "Add a label ",
    "+",
    () => {
      state.adding = adding ? null : "class";
      state.draw();
    },
    { class: "cn-button cn-quiet", "aria-expanded": String(Boolean(adding)), "data-k": "add" },
  );
  const pick = !adding
    ? null
    : adding === "class"
      ? el(
          "div",
          { class: "ab-subs" },
          group(
            "Further label",
            "class letter, then perhaps a second letter",
            codes.classes.map((c) =>
              option(
                c.name,
                c.key,
                form.further.some((one) => classOf(one) === c.code),
                () => chooseFurther(c.code),
                { title: c.definition, "data-k": "more-" + c.code },
              ),
            ),
          ),
        )
      : subs(findClass(adding), (code) => form.further.includes(code), chooseFurther, true);
  return el(
    "fieldset",
    {},
    el("legend", {}, "Further labels ", el("small", {}, "optional")),
    el("div", { class: "ab-chips" }, chips, toggle),
    pick && el("div", { class: "ab-adding" }, pick),
  );
}

function writing() {
  const { form } = state;
  const gold = el("input", {
    type: "text",
    id: "ab-gold",
    maxlength: "200",
    onfocus: remember,
    oninput: (event) => write("proposed_gold", event.target.value),
  });
  const rationale = el("textarea", {
    id: "ab-rationale",
    rows: "2",
    maxlength: "4000",
    onfocus: remember,
    oninput: (event) => write("rationale", event.target.value),
  });
  gold.value = form.proposed_gold;
  rationale.value = form.rationale;
  return [
    form.item_judgement === "gold_wrong"
      ? el("fieldset", {}, el("legend", {}, el("label", { for: "ab-gold" }, "The right gold")), gold)
      : null,
    el(
      "fieldset",
      {},
      el(
        "legend",
        {},
        el("label", { for: "ab-rationale" }, "Rationale"),
        " ",
        el("small", {}, "optional; t to write, Esc to leave"),
      ),
      rationale,
    ),
  ];
}

export function deciding() {
  const { form } = state,
    failure = form.response_judgement === "failure",
    [gold, rationale] = writing();
  return el(
    "div",
    { class: "ab-decide", "data-scroll": "decide" },
    group(
      "The response",
      null,
      RESPONSES.map(([v, k, name]) =>
        option(name, k, form.response_judgement === v, () => choose("response_judgement", v)),
      ),
    ),
    failure || form.response_judgement === null ? primary() : null,
    failure ? severity() : null,
    failure ? further() : null,
    group(
      "The item",
      "question and gold",
      ITEMS.map(([v, k, name]) =>
        option(name, k, form.item_judgement === v, () => choose("item_judgement", v)),
      ),
      "ab-three",
    ),
    gold,
    group(
      "Confidence",
      "optional; p",
      CONFIDENCES.map((name, n) =>
        option(name, null, form.confidence === n + 1, () =>
          choose("confidence", form.confidence === n + 1 ? null : n + 1),
        ),
      ),
      "ab-three",
    ),
    rationale,
  );
}
