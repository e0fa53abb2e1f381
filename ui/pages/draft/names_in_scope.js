// Names that a field can refer to: slots, givens, and the records in scope at its path.
import { get, state } from "./state.js";

const named = (field, fits) => Object.entries(get([field]) ?? {}).filter(([, one]) => one && fits(one)).map(([name]) => name);
const recordSlots = () => named("slots", (one) => one.kind === "record");

// Records that a value at this path can be read from; the first is the default.
export function placesAt(path) {
  const around = path.map((_, at) => get(path.slice(0, at))?.op);
  const inTurn = around.some((op) => state.schema.in_turn.includes(op));
  const pairs = around.findLast((op) => state.schema.in_turn.includes(op)) === state.schema.pairs;
  return [...(inTurn ? ["each"] : []), ...(pairs ? ["next"] : []), ...recordSlots(), "earliest", "latest"];
}
export const isInTurn = (path) => placesAt(path)[0] === "each";
export const takes = () => ["all", "earliest", "latest", ...named("slots", (one) => one.kind === "choice")];
export const numberGivens = () => named("givens", (one) => one.kind === "number" || one.kind === "record");
export const choiceGivens = () => named("givens", (one) => one.kind === "choice");

// The fixed keys of a mapping; null if its keys can be chosen freely.
export function keysOf(path) {
  if (path.at(-1) === "points") {
    const options = get(["givens", get([...path.slice(0, -1), "name"]), "options"]);
    return Array.isArray(options) ? options.filter((one) => typeof one === "string") : [];
  }
  if (path[0] !== "example") return null;
  if (path.at(-1) === "slots") return named("slots", () => true);
  return named("givens", (one) => one.kind !== "record");
}
