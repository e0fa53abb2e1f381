// Names that a form field can refer to: slots, givens, and the records in scope at the field's path.
import { get, state } from "./state.js";

const namesWhere = (field, fits) => Object.entries(get([field]) ?? {}).filter(([, one]) => one && fits(one)).map(([name]) => name);
const recordSlots = () => namesWhere("slots", (one) => one.kind === "record");

// Records that a value at this path can be read from; the first is the default.
export function recordsInScope(path) {
  const around = path.map((_, at) => get(path.slice(0, at))?.op);
  const inTurn = around.some((op) => state.schema.in_turn.includes(op));
  const pairs = around.findLast((op) => state.schema.in_turn.includes(op)) === state.schema.pairs;
  return [...(inTurn ? ["each"] : []), ...(pairs ? ["next"] : []), ...recordSlots(), "earliest", "latest"];
}
export const isInsideIteration = (path) => recordsInScope(path)[0] === "each";
export const takeOptions = () =>
  ["all", "earliest", "latest", ...namesWhere("slots", (one) => one.kind === "choice")];
export const numberGivens = () =>
  namesWhere("givens", (one) => one.kind === "number" || one.kind === "record");
export const choiceGivens = () => namesWhere("givens", (one) => one.kind === "choice");

// The fixed keys of a mapping; null if its keys can be chosen freely.
export function fixedKeys(path) {
  if (path.at(-1) === "points") {
    const options = get(["givens", get([...path.slice(0, -1), "name"]), "options"]);
    return Array.isArray(options) ? options.filter((one) => typeof one === "string") : [];
  }
  if (path[0] !== "example") return null;
  if (path.at(-1) === "slots") return namesWhere("slots", () => true);
  return namesWhere("givens", (one) => one.kind !== "record");
}
