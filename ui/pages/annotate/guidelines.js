// Guideline, codes and severity levels of the current study. Most studies use the codes sent with the page.
import { open } from "./panels.js";
import { post } from "./request_queue.js";
import { state } from "./state.js";

const known = {};
let common = null;

export function useCommon(codes) {
  common = state.codes = codes;
}

const versionOf = (study, guideline, taxonomy) => `${study} ${guideline} ${taxonomy}`;
const ask = (item) => post("guideline", () => ({ study_id: item.study_id }));

// Called for every new item; fetches a study's own codes once.
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
  // Open the panel only if the user requested the guideline, not after an automatic fetch of codes.
  const asked = state.codes.html === undefined && state.codes.taxonomy === guide.taxonomy;
  known[versionOf(guide.study_id, guide.version, guide.taxonomy)] = guide;
  if (state.item?.study_id === guide.study_id) state.codes = guide;
  state.draw();
  if (asked && state.panel !== "guide") open("guide");
}
