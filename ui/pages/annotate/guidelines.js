// Guideline, error codes and severity levels of the current study; most studies use those sent with the page.
import { togglePanel } from "./panels.js";
import { post } from "./request_queue.js";
import { state } from "./state.js";

const loadedCodes = {};
let defaultCodes = null;

export function setDefaultCodes(codes) {
  defaultCodes = state.codes = codes;
}

const codesKey = (study, guideline, taxonomy) => `${study} ${guideline} ${taxonomy}`;
const requestGuideline = (item) => post("guideline", () => ({ study_id: item.study_id }));

// Called for every new item; fetches a study's own codes once.
export function useStudyCodes(item) {
  const found = loadedCodes[codesKey(item.study_id, item.guideline, item.taxonomy)];
  state.codes = found || { ...defaultCodes, html: undefined };
  if (!found && state.panel === "guide") state.panel = null;
  if (!found && item.taxonomy !== defaultCodes.taxonomy) requestGuideline(item);
}

export function showGuideline() {
  const here = state.panel === "guide" || state.codes.html !== undefined;
  if (here) togglePanel("guide");
  else if (state.item) requestGuideline(state.item);
}

export function guidelineReceived(guide) {
  // Open the panel only if the user requested the guideline, not after an automatic fetch of codes.
  const asked = state.codes.html === undefined && state.codes.taxonomy === guide.taxonomy;
  loadedCodes[codesKey(guide.study_id, guide.version, guide.taxonomy)] = guide;
  if (state.item?.study_id === guide.study_id) state.codes = guide;
  state.draw();
  if (asked && state.panel !== "guide") togglePanel("guide");
}
