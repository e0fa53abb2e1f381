// The codebook: what each option, code and severity means, read without choosing it.
import { button, el, selectorOf } from "./dom.js";
import { _ } from "./language.js";
import * as rules from "./judgement_rules.js";

const ORDER = "order"; // the decision order, shown like an entry
const SIGNS_IN_USE = "?+[].,;/"; // some keyboards have these on Shift and a digit
let shown = null; // id of what stands on top; null: the list alone
let wanted = "";
let opener = null; // finds what had the focus before the panel opened
// What the page tells: its codes, whether its panel is open, the class whose sub-classes keys choose now.
let host = { codes: () => ({}), isOpen: () => false, setOpen: () => {}, draw: () => {}, openClass: () => null };
export const connectCodebook = (given) => {
  host = given;
};
const { classOf } = rules;
const findClass = (code) => rules.findClass(host.codes(), code);

const panel = () => document.querySelector('[data-panel="codebook"]');
const findEntry = (id) => host.codes().codebook.find((one) => one.id === id) || null;
export const hasEntry = (id) => Boolean(findEntry(id));
export const optionEntry = (field, value) => `${field}:${value}`;

export function openCodebook(id = null) {
  if (host.isOpen() && shown === id) {
    closeCodebook();
    return;
  }
  if (!host.isOpen()) opener = selectorOf(document.activeElement);
  shown = id;
  host.setOpen(true);
  host.draw();
  const body = panel()?.querySelector("[data-first]");
  if (!body) return;
  body.scrollTop = 0;
  body.focus();
}
export function closeCodebook() {
  host.setOpen(false);
  host.draw();
  if (opener) document.querySelector(opener)?.focus({ preventScroll: true });
  opener = null;
}

// The action of Shift and an option's key: show the entry. Of a digit, Shift makes another sign.
export function codebookAction({ key, code }) {
  if (/^\d$/.test(key) || SIGNS_IN_USE.includes(key)) return null;
  const pressed = /^[a-z]$/i.test(key) ? key.toLowerCase() : key === "_" ? "-" : code.replace(/^Digit/, "");
  const id = entryForKey(pressed);
  return id ? () => openCodebook(id) : pressed === "i" ? () => openCodebook() : null;
}
function entryForKey(key) {
  const within = host.openClass();
  const sub = within && findClass(within).subs.find((one) => one.key === key);
  const group = host.codes().classes.find((one) => one.key === key);
  if (sub || group) return (sub || group).code;
  for (const { name, options = [] } of host.codes().questions) {
    const option = options.find((one) => one.key === key && hasEntry(optionEntry(name, one.value)));
    if (option) return optionEntry(name, option.value);
  }
  return null;
}

// An option with its plain words (else `words`) and the button that shows its entry; `place` tells two buttons of
// one id apart. `numbered`: with the numbers that the steps at which it is made have in the decision order.
export function withEntry(id, option, { place = "", words = "", numbered = false } = {}) {
  const entry = findEntry(id);
  if (!entry) return option;
  if (numbered) option.append(stepNumbers(entry.steps));
  const plain = entry.plain || words;
  if (plain) option.querySelector("span").append(el("small", { class: "cb-plain", "aria-hidden": "true" }, plain));
  option.title = plain ? `${plain}: ${entry.definition}` : entry.definition;
  const about = button(el("span", { "aria-hidden": "true" }, "i"), null, () => openCodebook(id), {
    class: "cb-about",
    title: _("About {name}", entry),
    "aria-label": _("About {name}", entry),
    "aria-expanded": String(host.isOpen() && shown === id),
    "data-k": `${place}about-${id}`,
  });
  return el("span", { class: "cb-option" }, option, about);
}

// In words, as a digit alone would look like a key.
function stepNumbers(steps) {
  const order = host.codes().order.map(({ name }) => name);
  const numbers = steps.map((step) => order.indexOf(step) + 1).filter(Boolean);
  const made = numbers.length ? _("made at: {steps}", { steps: steps.join(", ") }) : null;
  const about = { numbers: numbers.join(", ") };
  const text = numbers.length > 1 ? _("steps {numbers}", about) : numbers.length ? _("step {numbers}", about) : "";
  return el("small", { class: "cb-numbers", "aria-hidden": "true", title: made }, text);
}

// The order in which the first error is looked for, in one line; the numbers stand beside the options, too.
export function decisionOrder() {
  const step = ({ name, hint }, place) =>
    el(
      "li",
      {},
      button(`${place + 1}. ${name}`, null, () => openCodebook(ORDER), {
        class: "cb-order-step",
        title: hint || null,
        "data-k": "step-" + place,
      }),
    );
  return el(
    "div",
    { class: "cb-order" },
    el("span", { id: "cb-order-says" }, _("First error in the order of steps:")),
    el("ol", { "aria-labelledby": "cb-order-says" }, host.codes().order.map(step)),
  );
}

const link = (id) => {
  const entry = findEntry(id);
  return button(entry.name, null, () => openCodebook(id), {
    class: "cb-link",
    title: entry.definition,
    "data-k": "see-" + id,
  });
};
const links = (ids) => el("span", { class: "cb-links" }, ids.map(link));

function orderView() {
  const step = ({ name, hint, codes }) =>
    el("li", {}, el("strong", {}, name), hint ? ` ${hint} ` : " ", codes.length ? links(codes) : null);
  return el(
    "section",
    { class: "cb-steps" },
    el("h3", {}, _("Which error is the primary label")),
    el("p", {}, _("The first error in this order:")),
    el("ol", {}, host.codes().order.map(step)),
  );
}
function placeOf({ id, heading, steps }) {
  const group = id !== classOf(id) && findClass(id);
  const made = steps.length ? _("made at: {steps}", { steps: steps.join(", ") }) : null;
  return [heading, group && group.name, made].filter(Boolean).join(" · ");
}
function entryView(entry) {
  const part = (name, ...content) => el("div", {}, el("dt", {}, name), content.map((one) => el("dd", {}, one)));
  return el(
    "section",
    { class: "cb-entry" },
    el("h3", {}, entry.name, entry.plain ? el("small", {}, ` ${entry.plain}`) : null),
    el("p", { class: "cb-place" }, placeOf(entry)),
    el("p", {}, entry.definition),
    el(
      "dl",
      {},
      entry.include ? part(_("Use when"), entry.include) : null,
      entry.exclude ? part(_("Not when"), entry.exclude) : null,
      entry.examples.length ? part(_("Examples"), ...entry.examples) : null,
      entry.near.length ? part(_("Near it"), links(entry.near)) : null,
    ),
  );
}

// Hide what does not hold every word that is searched for; nothing is drawn anew, so that typing goes on.
function filterList() {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = [...panel().querySelectorAll("[data-entry]")];
  for (const line of lines) {
    const { name, plain, definition, include, exclude, examples } = findEntry(line.dataset.entry);
    const text = [name, plain, definition, include, exclude, ...examples].join(" ").toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
  }
  for (const part of panel().querySelectorAll(".cb-book section"))
    part.hidden = words.length > 0 && !part.querySelector("[data-entry]:not([hidden])");
  const left = lines.filter((line) => !line.hidden).length;
  panel().querySelector(".cb-count").textContent = words.length ? _("{left} of {total} entries", { left, total: lines.length }) : "";
}
function bookView() {
  const headings = [...new Set(host.codes().codebook.map((one) => one.heading))];
  const line = ({ id, plain, definition }) =>
    el(
      "li",
      { "data-entry": id, class: id === classOf(id) || id.includes(":") ? null : "cb-sub" },
      link(id),
      plain ? el("small", {}, ` ${plain}`) : null,
      el("span", {}, definition),
    );
  const search = el("input", {
    type: "search",
    id: "cb-search",
    autocomplete: "off",
    oninput: (event) => {
      wanted = event.target.value;
      filterList();
    },
  });
  search.value = wanted;
  return el(
    "div",
    { class: "cb-book" },
    el("label", { for: "cb-search" }, _("Search the codebook")),
    search,
    el("p", { class: "cb-count", role: "status" }),
    shown === ORDER ? null : orderView(),
    headings.map((heading) =>
      el(
        "section",
        {},
        el("h3", {}, heading),
        el("ul", {}, host.codes().codebook.filter((one) => one.heading === heading).map(line)),
      ),
    ),
  );
}

export function codebookView() {
  const entry = findEntry(shown);
  const book = bookView();
  if (wanted) queueMicrotask(() => panel() && filterList());
  return el("div", { class: "cb-codebook" }, entry ? entryView(entry) : shown === ORDER ? orderView() : null, book);
}
