// One value or time, lit at once wherever it stands: table, context, answer and chart.
import { keyOf } from "./value_matches.js";

const LIT = "ab-same";
const cellsOfBoxes = new WeakMap(); // text box -> the cells that each of its numbers equals
const keysOfBoxes = new WeakMap(); // the same as keys
const dotsOfTables = new WeakMap(); // record table -> key of a cell -> its dot in the plot above it
const listeners = [];
let lit = [];

const box = (name) => document.querySelector(`.ab-root .ab-${name}`);

// Call `listener` with the lit cells, an empty list for none.
export const onLink = (listener) => listeners.push(listener);
export function setCellsOf(textBox, cells) {
  cellsOfBoxes.set(textBox, cells);
  keysOfBoxes.set(textBox, cells.map((some) => some.map(keyOf)));
}

export function unlink() {
  for (const one of lit) one.classList.remove(LIT, "ab-here");
  lit = [];
  for (const listener of listeners) listener([]);
}

// Light the cells everywhere but in the box `from` (records, context, text or chart) that they were pointed at in.
export function link(cells, from) {
  unlink();
  const keys = new Set(cells.map(keyOf));
  for (const name of ["records", "context", "text"]) {
    const found = box(name) && name !== from ? (name === "records" ? tableCells : textNumbers)(box(name), keys) : [];
    for (const one of found) one.classList.add(LIT);
    lit.push(...found);
    showOne(box(name), found);
  }
  const dots = box("records") ? plotDots(box("records"), cells) : [];
  for (const dot of dots) dot.classList.add("ab-here");
  lit.push(...dots);
  for (const listener of listeners) listener(cells);
}

// Of a time, the dots of its record in all plots.
function plotDots(records, cells) {
  if (!dotsOfTables.has(records)) {
    const all = [...records.querySelectorAll("[data-dot]")];
    dotsOfTables.set(records, new Map(all.map((one) => [one.dataset.dot, one])));
  }
  const columns = [...records.querySelector("thead tr").cells].map((_, column) => column);
  return cells
    .flatMap(([r, c]) => (c === 0 ? columns : [c]).map((column) => dotsOfTables.get(records).get(keyOf([r, column]))))
    .filter(Boolean);
}
function tableCells(records, keys) {
  const rows = records.querySelector("tbody").rows;
  return [...keys].flatMap((key) => {
    const [r, c] = key.split("-").map(Number);
    return rows[r]?.cells[c] || [];
  });
}
function textNumbers(textBox, keys) {
  const equal = keysOfBoxes.get(textBox) || [];
  return [...textBox.querySelectorAll("[data-stop]")].filter((one) =>
    equal[one.dataset.stop]?.some((key) => keys.has(key)),
  );
}

// Scroll a box to the first lit place in it, unless one is in view; the page itself stays.
function showOne(inBox, found) {
  if (!found.length || inBox.scrollHeight <= inBox.clientHeight) return;
  const frame = inBox.getBoundingClientRect();
  const head = inBox.querySelector("thead")?.offsetHeight || 0;
  const top = frame.top + head;
  const places = found.map((one) => one.getBoundingClientRect());
  if (places.some((one) => one.top >= top && one.bottom <= frame.bottom)) return;
  inBox.scrollTop += places[0].top - top - (frame.bottom - top - places[0].height) / 2;
}

// Handlers of a text box whose numbers and times light what they equal.
export function linkingHandlers(from) {
  const point = ({ target }) => {
    const stop = target.closest("[data-stop]");
    const cells = stop && cellsOfBoxes.get(stop.closest(`.ab-${from}`))?.[stop.dataset.stop];
    if (cells) link(cells, from);
    else unlink();
  };
  return { onmouseover: point, onfocusin: point, onmouseleave: unlink, onfocusout: unlink };
}
