// What the chart of an item draws: a lane for each vital sign and each formula, to scale in time and value.
import { MISSING, claimsOf, keyOf } from "./value_matches.js";
import { hasCell } from "./state.js";

const readValue = (text) => (text === null || text === MISSING || text === "" ? null : Number(text));
export const splitTitle = (title) => title.match(/^(\S+)\s*(.*)$/).slice(1);

// `column` tells lanes apart: that of the record table, or `f` and the formula's place.
function lane({ name, unit, column, vital = null, texts, minutes, thresholds }) {
  const points = texts.map((text, row) => ({ row, text, minutes: minutes[row], value: readValue(text) }));
  const known = points.filter((one) => one.value !== null);
  const values = [...known.map((one) => one.value), ...thresholds.map((one) => one.value)];
  return {
    ...{ name, unit, column, vital, points, known, thresholds },
    low: Math.min(...values),
    high: Math.max(...values),
    gold: new Set(),
    claimed: new Set(),
  };
}

function vitalLanes({ table, chart }) {
  return table.vitals.map((vital, place) => {
    const [name, unit] = splitTitle(table.columns[place + 1]);
    return lane({
      ...{ name, unit, vital, column: place + 1, minutes: table.minutes },
      texts: table.rows.map((row) => row[place + 1]),
      thresholds: chart.thresholds.filter((one) => one.vital === vital),
    });
  });
}
const formulaLanes = ({ table, chart }) =>
  chart.formulas
    .filter(({ values }) => values.some((one) => one !== null))
    .map(({ name, unit, values }, place) =>
      lane({
        ...{ name, unit: unit || "", column: `f${place}`, minutes: table.minutes, texts: values },
        thresholds: chart.thresholds.filter((one) => one.formula === name),
      }),
    );

export function chartModel(item) {
  const { table, reveal } = item;
  const claims = claimsOf(item.text, table);
  const lanes = [...formulaLanes(item), ...vitalLanes(item)];
  for (const one of lanes)
    for (const { row } of one.known) {
      if (claims.cells.has(keyOf([row, one.column]))) one.claimed.add(row);
      if (one.vital && reveal && hasCell(reveal.evidence, row, one.vital)) one.gold.add(row);
    }
  const named = (row) => table.rows[row][0];
  return {
    lanes,
    first: named(table.minutes.indexOf(Math.min(...table.minutes))),
    last: Math.max(...table.minutes),
    claimedRows: [...claims.rows],
    goldRows: table.rows.flatMap((row, r) => (reveal && row[0] === reveal.answer ? [r] : [])),
    // A threshold of a formula, whose values come with the reference.
    waiting: item.chart.thresholds.filter((one) => one.formula && !lanes.some((some) => some.name === one.formula)),
    marked: { gold: lanes.some((one) => one.gold.size), claimed: lanes.some((one) => one.claimed.size) },
  };
}
