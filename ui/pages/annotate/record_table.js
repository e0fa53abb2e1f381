// The record table: a sparkline per vital, highlighted gold evidence, and cells selectable as evidence.
import { button, el } from "../components/dom.js";
import { _, ngettext } from "../components/language.js";
import { splitTitle } from "./chart_data.js";
import { link, unlink } from "./linked_highlights.js";
import { courseText, sparkline } from "./sparkline.js";
import { evidenceOf, hasCell, markedLabel, otherLabels, state, toggleCell } from "./state.js";
import { MISSING } from "./value_matches.js";
import { toggleChart } from "./vitals_chart.js";

const table = () => state.item.table;
const pageRoot = () => document.querySelector(".ab-root");

const plotButton = (name, points, column) =>
  button(sparkline(points, column), null, () => toggleChart(column), {
    class: "ab-plot-button",
    "aria-label": _("{course}. Open the chart of all vital signs", { course: courseText(name, points) }),
    title: courseText(name, points),
    "data-k": `plot-${column}`,
  });

function headerRow() {
  const { columns, rows, minutes } = table();
  const values = (c) =>
    rows.map((row, r) => ({
      row: r,
      minutes: minutes[r],
      value: row[c] === MISSING ? null : Number(row[c]),
    }));
  return el(
    "tr",
    {},
    columns.map((name, c) => {
      const [label, unit] = splitTitle(name);
      return el(
        "th",
        { scope: "col" },
        label,
        unit ? el("small", {}, " " + unit) : null,
        c > 0 ? plotButton(name, values(c), c) : null,
      );
    }),
  );
}

function cell(text, r, c) {
  const { item } = state;
  if (c === 0)
    return el("th", { scope: "row" }, el("span", { class: "ab-date" }, text.slice(0, 11)), text.slice(11));
  const vital = item.table.vitals[c - 1];
  const gold = Boolean(item.reveal) && hasCell(item.reveal.evidence, r, vital);
  return el(
    "td",
    {
      role: "gridcell",
      class: gold ? "ab-evidence" : null,
      tabindex: state.cell[0] === r && state.cell[1] === c ? "0" : "-1",
      "data-k": `cell-${r}-${c}`,
      onclick: () => {
        state.cell = [r, c];
        moveTabStop();
        toggleCell(r, vital);
      },
    },
    text,
    gold ? el("span", { class: "cn-sr" }, " ", _("(the gold answer rests on it)")) : null,
  );
}

// Light the value and the time of the hovered or focused cell wherever they stand.
function linkCell({ target }) {
  const found = target.closest("tbody td, tbody th");
  if (!found) {
    unlink();
    return;
  }
  const r = Number(found.parentElement.dataset.row);
  link(found.cellIndex ? [[r, found.cellIndex], [r, 0]] : [[r, 0]], "records");
}

function moveTabStop() {
  for (const one of pageRoot().querySelectorAll('td[tabindex="0"]')) one.tabIndex = -1;
  const found = pageRoot().querySelector(`[data-k="cell-${state.cell[0]}-${state.cell[1]}"]`);
  if (found) found.tabIndex = 0;
  return found;
}
export function focusCell() {
  const { rows, columns } = table();
  state.cell = [
    Math.min(state.cell[0], rows.length - 1),
    Math.min(Math.max(state.cell[1], 1), columns.length - 1),
  ];
  moveTabStop()?.focus();
}

function moveFocus(event) {
  const { rows, columns } = table(),
    [r, c] = state.cell;
  const to = {
    ArrowUp: [r - 1, c],
    ArrowDown: [r + 1, c],
    ArrowLeft: [r, c - 1],
    ArrowRight: [r, c + 1],
    Home: [r, 1],
    End: [r, columns.length - 1],
  }[event.key];
  if (event.target.tagName !== "TD" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") toggleCell(r, table().vitals[c - 1]);
  else if (!to) return;
  else {
    state.cell = [
      Math.min(Math.max(to[0], 0), rows.length - 1),
      Math.min(Math.max(to[1], 1), columns.length - 1),
    ];
    focusCell();
  }
  event.preventDefault();
  event.stopPropagation();
}

let kept = { item: null, node: null };

// The table is drawn once for an item as it stands, and then only marked: with many records it costs more than all
// the rest.
export function recordTable() {
  if (kept.item !== state.item) kept = { item: state.item, node: drawTable() };
  markCells(kept.node);
  for (const one of kept.node.querySelectorAll(".ab-plot-button"))
    one.setAttribute("aria-expanded", String(state.panel === "chart"));
  return kept.node;
}

function markCells(node) {
  const { vitals } = table(),
    own = evidenceOf(markedLabel()).cells,
    others = otherLabels().flatMap((one) => evidenceOf(one).cells);
  [...node.querySelector("tbody").rows].forEach((row, r) =>
    vitals.forEach((vital, place) => {
      const one = row.cells[place + 1],
        chosen = hasCell(own, r, vital);
      one.classList.toggle("ab-own", chosen);
      one.classList.toggle("ab-other", hasCell(others, r, vital));
      one.setAttribute("aria-selected", String(chosen));
    }),
  );
}

function drawTable() {
  const { rows } = table(),
    lit = state.item.reveal?.evidence.length;
  const caption = lit
    ? ngettext(
        "{n} record; the cells that the gold answer rests on are marked",
        "{n} records; the cells that the gold answer rests on are marked",
        rows.length,
      )
    : ngettext("{n} record", "{n} records", rows.length);
  return el(
    "div",
    { class: "cn-table-wrap ab-records", "data-scroll": "records" },
    el(
      "table",
      {
        class: "cn-table",
        role: "grid",
        "aria-multiselectable": "true",
        "aria-label": _("Record table: arrows move, space marks a cell as evidence"),
        onmouseover: linkCell,
        onmouseleave: unlink,
        onfocusin: linkCell,
        onfocusout: unlink,
        onkeydown: moveFocus,
      },
      el("caption", {}, caption),
      el("thead", {}, headerRow()),
      el(
        "tbody",
        {},
        rows.map((row, r) =>
          el(
            "tr",
            { "data-row": r },
            row.map((text, c) => cell(text, r, c)),
          ),
        ),
      ),
    ),
  );
}
