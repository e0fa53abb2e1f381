// The list of studies, the details of one, and what can be changed in it. After dom.js.
const root = element.querySelector(".st-root"), box = element.querySelector(".st-message");
let studies = null, open = null, closing = null;
const send = (action, study, more = {}) => ask("select", { action, study, ...more }, root, box);
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.studies) return;
  answered(root);
  const same = open && reply.open && open.name === reply.open.name;
  if (!same || (reply.message && reply.message.tone !== "bad")) root.querySelectorAll("[data-keep]").forEach((field) => { field.value = ""; });
  studies = reply.studies; open = reply.open; closing = null;
  showMessage(box, reply.message);
  draw();
  if (open && !same) root.querySelector(`[data-key="${CSS.escape(`details-${open.name}`)}"]`)?.focus();
});
function draw() {
  if (studies === null) return;
  redraw(root, studies.length ? studies.map(card) : el("p", { class: "cn-note" }, "No study yet. Open one below."));
}
function card(one) {
  const shown = open && open.name === one.name;
  const share = one.places ? Math.round(100 * one.judged / one.places) : 0;
  return el("article", { class: "st-card", "aria-label": `Study ${one.name}` },
    el("div", { class: "st-head" }, el("h2", {}, one.name), el("span", { class: `st-status st-${one.status}` }, one.status),
      el("span", { class: "cn-muted" }, `opened ${one.created}`)),
    el("div", { class: "st-progress" }, el("progress", { max: String(one.places || 1), value: one.judged, "aria-label": `Judgements in ${one.name}` }),
      el("span", {}, `${one.judged} of ${one.places} judgements (${share} %)`)),
    el("p", { class: "cn-muted" }, one.facts.join(" · ")),
    el("div", { class: "st-actions" },
      el("button", { type: "button", class: "cn-button cn-quiet", "data-key": `details-${one.name}`, "aria-expanded": String(Boolean(shown)), "aria-label": `${shown ? "Hide details" : "Details"} of ${one.name}`,
        onclick: () => { if (shown) { open = null; draw(); } else send("show", one.name); } }, shown ? "Hide details" : "Details"),
      one.status === "open" ? actionButton(`switch-${one.name}`, "Pause", () => send("pause", one.name), "cn-quiet", `Pause ${one.name}`)
        : actionButton(`switch-${one.name}`, "Reopen", () => { if (one.status === "paused") send("reopen", one.name); else sure(one, "reopen"); }, "cn-quiet", `Reopen ${one.name}`),
      one.status === "closed" ? null : actionButton(`close-${one.name}`, "Close", () => sure(one, "close"), "cn-quiet", `Close ${one.name}`)),
    closing && closing.name === one.name ? confirm(one) : null,
    shown ? details(one) : null);
}
const MEANS = {
  close: ["Close it?", "Nobody can save in it any more, open drafts stay unsent, and its annotators may then see each other's judgements. To stop for a while only, pause it.", "Close the study", "Leave it open"],
  reopen: ["Reopen it?", "It was closed, so annotators may have seen each other's judgements: what they change from now on is not independent. When it was first closed stays on record.", "Reopen the study", "Leave it closed"],
};
function sure(one, action) { closing = { name: one.name, action }; draw(); root.querySelector('[data-key="leave"]')?.focus(); }
function confirm(one) {
  const [title, means, yes, no] = MEANS[closing.action];
  const leave = () => { const back = closing.action === "close" ? "close" : "switch"; closing = null; draw(); root.querySelector(`[data-key="${CSS.escape(`${back}-${one.name}`)}"]`)?.focus(); };
  return el("div", { class: "cn-note cn-warn", role: "alertdialog", "aria-label": `${title} ${one.name}`, onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    el("strong", {}, title), el("p", {}, means), closing.action === "close" && one.closing_note ? el("p", {}, one.closing_note) : null,
    el("div", { class: "st-actions" }, actionButton("leave", no, leave), actionButton("sure", yes, () => send(closing.action, one.name))));
}
function details(one) {
  const editable = one.status !== "closed";
  return el("div", { class: "st-details" },
    dataTable(`Annotators of ${one.name}`, [["Account", true], ["In exports", true], ["Done", false], ["Share", false], ["In work", false], ["Skipped", false], ["Flagged", false]], open.annotators),
    editable && open.addable.length ? el("fieldset", {}, el("legend", {}, "Add an annotator"),
      el("p", { class: "cn-muted" }, "Training and control items are theirs too; everyone's share shrinks."),
      el("div", { class: "st-actions" }, open.addable.map((name) => actionButton(`add-${name}`, name, () => send("add_annotator", one.name, { annotator: name }), "cn-quiet")))) : null,
    el("details", { "data-key": "design" }, el("summary", {}, "How it was opened"),
      el("dl", { class: "st-facts" }, open.design.map(([what, value]) => [el("dt", {}, what), el("dd", {}, value)]))),
    el("details", { "data-key": "guideline" }, el("summary", {}, `Guideline, version ${open.guidelines[0]?.version ?? 1}`), guideline(one, editable)));
}
function guideline(one, editable) {
  const [now, ...old] = open.guidelines;
  const key = `guideline-${one.name}`;
  const submit = (event) => { event.preventDefault(); send("guideline", one.name, { text: root.querySelector(`[data-keep="${CSS.escape(key)}"]`).value }); };
  return [
    el("pre", { class: "st-text", tabindex: "0", role: "region", "aria-label": "Guideline in force" }, now?.text || "No guideline was given."),
    editable ? el("form", { onsubmit: submit },
      el("label", { class: "st-field" }, "New version, Markdown; judgements from then on carry it", el("textarea", { "data-keep": key, "data-key": key, rows: "6", maxlength: "50000" })),
      el("div", { class: "st-actions" }, actionButton("begin", "Begin from the text in force", () => { const field = root.querySelector(`[data-keep="${CSS.escape(key)}"]`); field.value = now?.text || ""; field.focus(); }),
        el("button", { type: "submit", class: "cn-button cn-primary", "data-key": "save-guideline" }, "Save as a new version"))) : null,
    old.map((one) => el("details", { "data-key": `version-${one.version}` }, el("summary", {}, `Version ${one.version}, of ${one.created}`),
      el("pre", { class: "st-text" }, one.text || "Empty."))),
  ];
}
draw();
