// One value or time, lit at once wherever it stands: table, context, answer and chart.
import { keyOf } from "./value_matches.js";

const LIT = "ab-same";
const cellsOfBoxes = new WeakMap(); // text box -> the cells that each of its numbers equals
const listeners = [];
let lit = [];

const box = (name) => document.querySelector(`.ab-root .ab-${name}`);

// Call `listener` with the lit cells, an empty list for none.
export const onLink = (listener) => listeners.push(listener);
export const setCellsOf = (textBox, cells) => cellsOfBoxes.set(textBox, cells);

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
  for (const dot of document.querySelectorAll(".ab-root [data-dot]"))
    if (keys.has(dot.dataset.dot) || keys.has(`${dot.dataset.dot.split("-")[0]}-0`)) {
      dot.classList.add("ab-here");
      lit.push(dot);
    }
  for (const listener of listeners) listener(cells);
}

function tableCells(records, keys) {
  const rows = records.querySelector("tbody").rows;
  return [...keys].flatMap((key) => {
    const [r, c] = key.split("-").map(Number);
    return rows[r]?.cells[c] || [];
  });
}
function textNumbers(textBox, keys) {
  const cells = cellsOfBoxes.get(textBox) || [];
  return [...textBox.querySelectorAll("[data-stop]")].filter((one) =>
    cells[one.dataset.stop]?.some((cell) => keys.has(keyOf(cell))),
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
