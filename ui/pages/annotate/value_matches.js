// Which cells of the record table equal a number or time that a text names: [row, column]; column 0 is the time.
import { keyboardStops } from "./span_arithmetic.js";

export const MISSING = "–";
const MOST_NUMBERS = 4000;
const numbersOfTables = new WeakMap();

export const keyOf = ([row, column]) => `${row}-${column}`;
const isMoment = (written) => /[:-]/.test(written);
const isDate = (written) => !written.includes(":");

// A comma before exactly three digits separates thousands ("1,234"); else it is decimal ("98,6").
const parseNumber = (written) =>
  Number(/,\d{3}(?!\d)/.test(written) ? written.replaceAll(",", "") : written.replace(",", "."));

function numbersOf(table) {
  if (!numbersOfTables.has(table)) {
    const found = new Map();
    table.rows.forEach((row, r) =>
      row.forEach((text, c) => {
        if (c === 0 || text === MISSING) return;
        const value = Number(text);
        found.set(value, [...(found.get(value) || []), [r, c]]);
      }),
    );
    numbersOfTables.set(table, found);
  }
  return numbersOfTables.get(table);
}

export function cellsEqualTo(written, table) {
  if (!isMoment(written)) return numbersOf(table).get(parseNumber(written)) || [];
  const asked = written.replace("T", " ").replace(/^(\d:)/, "0$1"),
    clock = asked[2] === ":";
  return table.rows.flatMap(([time], r) => ((clock ? time.slice(11) : time).startsWith(asked) ? [[r, 0]] : []));
}

// What each number and time of a context equals. Every record there begins with its time: a number is of the
// record before it, if it has that value. A date alone is of many records, and counts as none.
export function cellsOfContext(stops, table) {
  let rows = new Set();
  return stops.map(({ text }) => {
    const found = cellsEqualTo(text, table);
    if (isMoment(text)) {
      if (isDate(text)) return [];
      rows = new Set(found.map(([r]) => r));
      return found;
    }
    const here = found.filter(([r]) => rows.has(r));
    return here.length ? here : found;
  });
}

export const cellsOfAnswer = (stops, table) =>
  stops.map(({ text }) => (isMoment(text) && isDate(text) ? [] : cellsEqualTo(text, table)));

// The cells and the records' times that an answer names. Where it names the times of records, a number that one
// of them has is taken to be theirs.
export function claimsOf(text, table) {
  const stops = keyboardStops(text, MOST_NUMBERS).filter((one) => one.number);
  const found = cellsOfAnswer(stops, table);
  const rows = new Set(found.flat().flatMap(([r, c]) => (c === 0 ? [r] : [])));
  const cells = found.flatMap((some) => {
    const values = some.filter(([, c]) => c > 0),
      here = values.filter(([r]) => rows.has(r));
    return here.length ? here : values;
  });
  return { cells: new Set(cells.map(keyOf)), rows };
}
