// The record table: a sparkline per vital, highlighted gold evidence, and cells selectable as evidence.
import { el } from "/static/components/dom.js";
import { sparkline } from "./sparkline.js";
import { hasCell, state, toggleCell } from "./state.js";

const MISSING = "–";
const table = () => state.item.table;
const pageRoot = () => document.querySelector(".ab-root");

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
      const [, label, unit] = name.match(/^(\S+)\s*(.*)$/);
      return el(
        "th",
        { scope: "col" },
        label,
        unit ? el("small", {}, " " + unit) : null,
        c > 0 ? sparkline(name, values(c)) : null,
      );
    }),
  );
}

function cell(text, r, c) {
  const { item, form } = state;
  if (c === 0)
    return el("th", { scope: "row" }, el("span", { class: "ab-date" }, text.slice(0, 11)), text.slice(11));
  const vital = item.table.vitals[c - 1];
  const gold = Boolean(item.reveal) && hasCell(item.reveal.evidence, r, vital),
    own = hasCell(form.cells, r, vital);
  return el(
    "td",
    {
      role: "gridcell",
      class: [gold ? "ab-evidence" : "", own ? "ab-own" : ""].join(" ").trim() || null,
      "aria-selected": String(own),
      tabindex: state.cell[0] === r && state.cell[1] === c ? "0" : "-1",
      "data-k": `cell-${r}-${c}`,
      onclick: () => {
        state.cell = [r, c];
        toggleCell(r, vital);
      },
    },
    text,
    gold ? el("span", { class: "cn-sr" }, " (the gold rests on it)") : null,
  );
}

// Highlight the hovered or focused row in every plot.
function highlightRow(event) {
  const row =
    event.type === "mouseleave" || event.type === "focusout"
      ? null
      : event.target.closest("tr[data-row]")?.dataset.row;
  for (const dot of pageRoot().querySelectorAll("[data-dot]"))
    dot.classList.toggle("ab-here", dot.dataset.dot === row);
}

// Parse a number: a comma before exactly three digits separates thousands ("1,234"); else it is decimal
// ("98,6").
const parseNumber = (written) =>
  Number(/,\d{3}(?!\d)/.test(written) ? written.replaceAll(",", "") : written.replace(",", "."));

// Cells [row, column] of the record table whose value equals the given number or time; column 0 is the time.
function cellsEqualTo(written, rows) {
  const time = /[:-]/.test(written),
    asked = time ? written.replace("T", " ") : parseNumber(written);
  return rows.flatMap((row, r) =>
    row.flatMap((cell, c) => {
      const same = time ? c === 0 && cell.includes(asked) : c > 0 && cell !== "" && Number(cell) === asked;
      return same ? [[r, c]] : [];
    }),
  );
}

// Highlight the cells equal to a number or time of the model's answer (null: none).
export function highlightMatchingCells(written) {
  const found = new Set(
    written === null ? [] : cellsEqualTo(written, table().rows).map(([r, c]) => `${r}-${c}`),
  );
  const rows = document.querySelectorAll(".ab-records tbody tr");
  rows.forEach((row, r) =>
    [...row.cells].forEach((one, c) => one.classList.toggle("ab-same", found.has(`${r}-${c}`))),
  );
}

export function focusCell() {
  const { rows, columns } = table();
  state.cell = [
    Math.min(state.cell[0], rows.length - 1),
    Math.min(Math.max(state.cell[1], 1), columns.length - 1),
  ];
  for (const one of pageRoot().querySelectorAll('td[tabindex="0"]')) one.tabIndex = -1;
  const found = pageRoot().querySelector(`[data-k="cell-${state.cell[0]}-${state.cell[1]}"]`);
  if (found) {
    found.tabIndex = 0;
    found.focus();
  }
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

export function recordTable() {
  const { rows } = table(),
    lit = state.item.reveal?.evidence.length;
  const caption = `${rows.length} ${rows.length === 1 ? "record" : "records"}${lit ? "; the cells that the reference rests on are marked" : ""}`;
  return el(
    "div",
    { class: "cn-table-wrap ab-records", "data-scroll": "records" },
    el(
      "table",
      {
        class: "cn-table",
        role: "grid",
        "aria-multiselectable": "true",
        "aria-label": "Record table: arrows move, space marks a cell as evidence",
        onmouseover: highlightRow,
        onmouseleave: highlightRow,
        onfocusin: highlightRow,
        onfocusout: highlightRow,
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
