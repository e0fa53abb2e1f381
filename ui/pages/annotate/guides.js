// Guideline, codes and severity levels of a study. Most studies use the codes that came with the page.
import { open } from "./panels.js";
import { post } from "./queue.js";
import { state } from "./state.js";

const known = {};
let common = null;

export function useCommon(codes) {
  common = state.codes = codes;
}

const versionOf = (study, guideline, taxonomy) => `${study} ${guideline} ${taxonomy}`;
const ask = (item) => post("guideline", () => ({ study_id: item.study_id }));

// Called for every item that comes: a study with codes of its own is asked for them once.
export function useCodes(item) {
  const found = known[versionOf(item.study_id, item.guideline, item.taxonomy)];
  state.codes = found || { ...common, html: undefined };
  if (!found && state.panel === "guide") state.panel = null;
  if (!found && item.taxonomy !== common.taxonomy) ask(item);
}

export function showGuide() {
  const here = state.panel === "guide" || state.codes.html !== undefined;
  if (here) open("guide");
  else if (state.item) ask(state.item);
}

export function arrived(guide) {
  // Whoever asked by key waits to see it; codes that were fetched by themselves open nothing.
  const asked = state.codes.html === undefined && state.codes.taxonomy === guide.taxonomy;
  known[versionOf(guide.study_id, guide.version, guide.taxonomy)] = guide;
  if (state.item?.study_id === guide.study_id) state.codes = guide;
  state.draw();
  if (asked && state.panel !== "guide") open("guide");
}
