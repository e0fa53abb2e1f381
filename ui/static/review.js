// An expert's reviews: the list, then one sheet that is kept while it is filled in. After dom.js.
const root = element.querySelector(".rv-root"), box = element.querySelector(".rv-message");
const SAVE_AFTER_MS = 800, SAVE_WAIT_MS = 20000, ROUND = /^[0-9a-f]{16}$/;
let invitations = null, review = null, sure = false;
let dirty = false, saving = null, timer = null, afterSave = null, kept = "";
const send = (action, more = {}) => ask("select", { action, ...more }, root, box);

watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.kind) return;
  if (reply.kind === "saved" || reply.kind === "unsaved") { saved(reply); return; }
  answered(root);
  showMessage(box, reply.message);
  if (reply.kind === "refused") { sure = false; if (review) draw(); if (box.textContent) box.scrollIntoView({ block: "nearest" }); return; }
  if (reply.kind === "list") {
    const first = invitations === null;
    invitations = reply.invitations; review = null; locate(null, first);
    draw();
    const asked = new URLSearchParams(location.search).get("round") || "";
    if (first && ROUND.test(asked)) setTimeout(() => open(asked));
    else if (!first) root.querySelector("h2, button")?.focus();
    return;
  }
  const same = review && review.round === reply.review.round;
  review = reply.review; sure = false; dirty = false; kept = review.editable ? "What you enter is kept as you go." : "";
  locate(review.round);
  draw();
  if (!same) { window.scrollTo({ top: 0 }); root.querySelector("h2")?.focus({ preventScroll: true }); }
});
function locate(round, keep = false) {
  if (keep) return;
  history.replaceState(null, "", round ? `?round=${round}` : location.pathname);
}
const open = (round) => send("open", { round });

// ---------- keeping the sheet
function changed() {
  dirty = true; clearTimeout(timer); timer = setTimeout(save, SAVE_AFTER_MS);
  state("Not kept yet …");
}
function save() {
  clearTimeout(timer);
  if (!dirty || saving || !review || !review.editable) return;
  if (waitingFor) { timer = setTimeout(save, SAVE_AFTER_MS); return; }
  dirty = false;
  saving = setTimeout(() => saved({ kind: "unsaved", message: { tone: "bad", text: "No answer from the server; what you entered is still in this page." } }), SAVE_WAIT_MS);
  props.value = { out: { action: "save", round: review.round, sheet: review.sheet }, sent: Date.now() + Math.random() };
  trigger("select");
}
function saved(reply) {
  clearTimeout(saving); saving = null;
  if (reply.kind === "unsaved") { dirty = true; state("Not kept."); showMessage(box, reply.message); afterSave = null; return; }
  state(`Kept at ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}.`);
  const next = afterSave; afterSave = null;
  // Not from within the reply: what is sent there would not be heard.
  if (next) setTimeout(next);
  else if (dirty) setTimeout(save);
}
function state(text) { kept = text; const line = root.querySelector(".rv-kept"); if (line) line.textContent = text; }
// A step that must not overtake a save under way.
function then(step) {
  if (saving) { afterSave = () => then(step); return; }
  if (dirty && review && review.editable) { afterSave = () => then(step); save(); return; }
  step();
}
function put(part, key, value) {
  review.sheet = { ...review.sheet, [part]: { ...review.sheet[part], [key]: value } };
  changed(); lacking();
}

// ---------- drawing
function draw() { redraw(root, review ? sheet() : list()); if (review) lacking(); }
function list() {
  if (invitations === null) return el("p", { class: "cn-note" }, "Loading…");
  if (!invitations.length) return el("p", { class: "cn-note" }, "Nothing to review. A curator invites you; each review takes about ten minutes.");
  return invitations.map((one) => el("article", { class: "st-card" },
    el("div", { class: "st-head" }, el("h2", { tabindex: "-1" }, one.wording), el("span", { class: `st-status ${one.state === "new" || one.state === "begun" ? "st-open" : ""}` }, one.state)),
    el("p", { class: "cn-muted" }, `Invited ${one.opened}`, one.answered ? ` · ${one.answered} of your comments answered` : ""),
    el("div", { class: "st-actions" }, actionButton(`open-${one.round}`, one.does, () => open(one.round), one.state === "new" || one.state === "begun" ? "cn-primary" : "", `${one.does}: ${one.wording}`))));
}
function sheet() {
  const editable = review.editable;
  return [
    el("div", { class: "st-actions rv-bar" }, actionButton("back", "Back to the list", () => then(() => send("list")), "cn-quiet"),
      el("span", { class: "cn-muted rv-kept", role: "status" }, kept)),
    review.state === "closed" ? el("p", { class: "cn-note" }, "This round was closed before you handed in; nothing more is needed of you.") : null,
    review.state === "handed in" ? el("p", { class: "cn-note" }, "You have handed this in. It cannot be changed.") : null,
    section("The question", el("p", {}, review.wordings.length > 1 ? "It is asked in one of these ways; words in braces are filled in." : "Words in braces are filled in."),
      el("ul", { class: "rv-wordings" }, review.wordings.map((one) => el("li", {}, one))), el("p", { class: "cn-muted" }, review.form)),
    section("Work three of them", el("p", {}, "From the records alone, as you would at the bedside. You are not told whether you are right: this tests the question, not you."), review.cases.map((one) => work(one, editable))),
    section("How the answer is meant to be made", el("ul", { class: "rv-made" }, review.made.map((one) => el("li", {}, one))), el("p", { class: "cn-muted" }, `Source: ${review.source}`)),
    section("Your ratings", review.scales.map((one) => rating(one, editable))),
    review.comments.length ? section("Your comments", el("ul", { class: "rv-comments" }, review.comments.map((one) => el("li", {}, el("strong", {}, one.about), el("p", {}, one.text),
      el("p", { class: one.reply ? "rv-reply" : "cn-muted" }, one.reply ? `Answer: ${one.reply}` : "Not answered yet.")))) ) : null,
    editable ? el("div", { class: "rv-end" }, el("p", { class: "cn-muted rv-lacking", id: "rv-lacking" }),
      sure ? confirm() : el("div", { class: "st-actions" }, actionButton("hand-in", "Hand in", () => { if (lacking()) { point(); return; } sure = true; draw(); root.querySelector('[data-key="not-yet"]')?.focus(); }, "cn-primary"))) : null,
  ];
}
const section = (title, ...content) => el("section", { class: "rv-part", "aria-label": title }, el("h2", { tabindex: "-1" }, title), content);
function work(one, editable) {
  const id = `rv-answer-${one.number}`;
  return el("article", { class: "st-card", "aria-label": `Question ${one.number}` },
    el("h3", {}, `Question ${one.number} of ${review.cases.length}`, el("span", { class: "cn-muted" }, ` · records ${one.written}`)),
    context(one),
    el("p", { class: "rv-asked" }, one.question),
    el("label", { class: "st-field", for: id }, "Your answer",
      el("input", { id, type: "text", "data-key": id, "data-part": "answers", "data-name": one.number, maxlength: "200", autocomplete: "off", spellcheck: "false", readonly: !editable, value: review.sheet.answers[one.number] || "", oninput: (event) => put("answers", one.number, event.target.value), onblur: save })),
    editable ? remark(one.number, `question ${one.number}`) : null);
}
// Lines of a table in text are drawn as a table, all others as they are.
function context(one) {
  const cells = (line) => line.replace(/^\| | \|$/g, "").split(" | ");
  const lines = one.context.split("\n"), rows = lines.filter((line) => line.startsWith("| ")), name = `Records of question ${one.number}`;
  const text = (some) => some.length ? el("pre", { class: "st-text rv-context", tabindex: "0", role: "region", "aria-label": name }, some.join("\n")) : null;
  if (rows.length < 2 || rows.some((row) => cells(row).length !== cells(rows[0]).length)) return text(lines);
  const at = lines.indexOf(rows[0]), rest = lines.slice(at).filter((line) => !line.startsWith("|"));
  return [text(lines.slice(0, at)), dataTable(name, cells(rows[0]).map((title, place) => [title, place === 0]), rows.slice(1).map(cells)), text(rest)];
}
function rating(one, editable) {
  const chosen = review.sheet.ratings[one.key];
  return el("fieldset", { class: "rv-rating" }, el("legend", {}, `${one.name}: ${one.asks}`),
    el("div", { class: "st-options" }, one.anchors.map((anchor, at) => el("label", { class: "st-option" },
      el("input", { type: "radio", name: `rv-${one.key}`, value: String(at + 1), "data-key": `${one.key}-${at + 1}`, checked: chosen === at + 1, disabled: !editable,
        onchange: () => { put("ratings", one.key, at + 1); if (at < 2) { const more = root.querySelector(`[data-key="more-${one.key}"]`); if (more) more.open = true; } } }),
      el("span", {}, el("strong", {}, `${at + 1}`), anchor)))),
    editable ? remark(one.key, one.name.toLowerCase(), chosen < 3) : null);
}
function remark(about, words, opened = false) {
  const text = review.sheet.comments[about] || "";
  return el("details", { "data-key": `more-${about}`, open: Boolean(text) || opened }, el("summary", {}, `Comment on ${words}`),
    el("label", { class: "st-field" }, "What would make it better, or what is wrong",
      el("textarea", { rows: "3", maxlength: "2000", "data-key": `comment-${about}`, value: text, oninput: (event) => put("comments", about, event.target.value), onblur: save })));
}
function missing() {
  const given = review.sheet;
  return [...review.cases.filter((one) => !(given.answers[one.number] || "").trim()).map((one) => ["answers", one.number, `rv-answer-${one.number}`]),
    ...review.scales.filter((one) => !given.ratings[one.key]).map((one) => ["ratings", one.name.toLowerCase(), `${one.key}-1`])];
}
function lacking() {
  const line = root.querySelector(".rv-lacking"), lacks = missing();
  const of = (kind, words) => { const some = lacks.filter((one) => one[0] === kind).map((one) => one[1]); return some.length ? [`${words} ${some.join(", ")}`] : []; };
  if (line) line.textContent = lacks.length ? `Still to be given: ${[...of("answers", "an answer to question"), ...of("ratings", "a rating of")].join("; ")}.` : "All is given.";
  return lacks.length > 0;
}
const point = () => root.querySelector(`[data-key="${missing()[0][2]}"]`)?.focus();
function confirm() {
  const leave = () => { sure = false; draw(); root.querySelector('[data-key="hand-in"]')?.focus(); };
  return el("div", { class: "cn-note cn-warn", role: "alertdialog", "aria-label": "Hand it in?", onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    el("strong", {}, "Hand it in?"), el("p", {}, "It cannot be changed after that."),
    el("div", { class: "st-actions" }, actionButton("not-yet", "Not yet", leave),
      actionButton("sure", "Hand it in", () => then(() => send("hand_in", { round: review.round, sheet: review.sheet })), "cn-primary")));
}
document.addEventListener("visibilitychange", () => { if (document.hidden) save(); });
draw();
