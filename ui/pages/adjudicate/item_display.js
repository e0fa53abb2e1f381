// The item to decide: question, records, model answer with the evidence of all positions, gold and context.
import { pointList } from "../components/answer_point_list.js";
import { dataUseNote } from "../components/data_use.js";
import { dataTable, el } from "../components/dom.js";
import { _, ngettext } from "../components/language.js";
import { demandedForm, howItEnded, modelThinking, wholePrompt } from "../components/prompt_and_thinking.js";
import { positionLetter, state, positionColour } from "./state.js";

const positionBadge = (places) => el("sup", { class: "aj-badge" }, places.map(positionLetter).join(", "));
const tintOf = (places) => (places.length === 1 ? positionColour(places[0]) : places.length ? "aj-mix" : "");

const marked = (text) =>
  text.map(({ t, p }) => (p.length ? el("mark", { class: tintOf(p) }, t, positionBadge(p)) : t));

function answerText() {
  const { text } = state.item;
  return el(
    "pre",
    { class: "aj-text", tabindex: "0", role: "region", "aria-label": _("The model's answer") },
    text.some(({ t }) => t.trim()) ? marked(text) : _("(the model wrote nothing)"),
  );
}
function recordTable() {
  const { table, gold_cells, cells } = state.item;
  if (!table.rows.length) return null;
  const gold = new Set(gold_cells.map(([row, column]) => `${row}:${column}`));
  const cell = (text, place) => {
    const places = cells[place] || [], lit = gold.has(place);
    return el(
      "td",
      { class: tintOf(places) + (lit ? " aj-gold" : "") },
      text,
      places.length ? positionBadge(places) : null,
      lit ? el("span", { class: "cn-sr" }, " ", _("(the gold answer rests on it)")) : null,
    );
  };
  const n = table.rows.length;
  const made = dataTable(
    gold.size
      ? _("{n} records by time. Framed: what the gold answer rests on. Letters: which position marked it as evidence.", { n })
      : ngettext("{n} record by time.", "{n} records by time.", n),
    table.columns,
    table.rows.map((row, r) => row.map((text, c) => cell(text, `${r}:${c}`))),
  );
  made.setAttribute("aria-label", _("Record table"));
  return made;
}
function goldSection() {
  const { score, worked, gold, points } = state.item;
  if (gold === null) return null;
  return el(
    "section",
    { class: "aj-goldbox", "aria-label": _("Gold answer") },
    el("h2", {}, _("Gold answer: {gold}", { gold })),
    pointList(points),
    worked.length ? el("ol", {}, worked.map((step) => el("li", {}, step))) : null,
    score && el("p", {}, score.parsed === null ? _("The scorer read no answer: {status} ({reason})", score) : _("The scorer read “{parsed}”: {status} ({reason})", score)),
  );
}
export function dataUseTerms() {
  return dataUseNote(state.item.data_use);
}
const modelName = ({ model }) => (model ? el("small", { class: "cn-muted" }, " " + model) : null);

function oneAnswer() {
  const { item } = state;
  return [el("h2", {}, _("The model's answer"), modelName(item)), answerText(), howItEnded(item), modelThinking(item)];
}
function sideOfPair(title, one, place) {
  const shown = one.text.trim() ? one.text : _("(the model wrote nothing)");
  return el(
    "section",
    { "aria-label": title },
    el("h2", {}, title, modelName(one)),
    el("pre", { class: "aj-text", tabindex: "0", role: "region", "aria-label": title }, shown),
    howItEnded(one),
    modelThinking(one, `thinking-${place}`),
  );
}
function answerPair() {
  const { item } = state, left = { ...item, text: item.text.map(({ t }) => t).join("") };
  return el("div", { class: "aj-pair" }, sideOfPair(_("Left answer"), left, 0), sideOfPair(_("Right answer"), item.second, 1));
}
// Where the prompt is not known, nobody knows what the model saw.
const contextTitle = (item) =>
  item.asked.unknown === null ? _("The context as the model saw it ({representation})", item) : _("The context ({representation})", item);
export function itemDisplay() {
  const { item } = state;
  const unfolded = !item.table.rows.length && Boolean(item.context);
  return el(
    "div",
    { class: "aj-read" },
    el("p", { class: "aj-question" }, item.question),
    demandedForm(item),
    item.options.length
      ? el("ul", { class: "aj-plain", "aria-label": _("Options") }, item.options.map((text) => el("li", {}, text)))
      : null,
    recordTable(),
    item.givens.length ? el("p", {}, _("Also given: {givens}", { givens: item.givens.join("; ") })) : null,
    item.second === null ? oneAnswer() : answerPair(),
    goldSection(),
    el(
      "details",
      { class: "aj-context-box", "data-fold": "context", open: unfolded },
      el("summary", {}, contextTitle(item)),
      el("pre", { class: "aj-context", tabindex: "0" }, marked(item.context_pieces)),
    ),
    wholePrompt(item),
  );
}
