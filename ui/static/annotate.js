// The annotate page. Body of a function that Gradio calls with element, props, trigger and watch.
// Everything shown is set with textContent, so that a model's text can never become markup.
const taxonomy = props.taxonomy;
const severities = props.severities;
const RESPONSES = [
  ["acceptable", "a", "Acceptable"], ["right_answer_unsound_reasoning", "r", "Right answer, unsound reasoning"],
  ["failure", "w", "Failure"], ["cannot_judge", "n", "Cannot judge"],
];
const ITEMS = [["valid", "v", "Valid"], ["gold_wrong", "g", "Gold is wrong"], ["ambiguous", "b", "Ambiguous"]];
const ANSWER_WAIT_MS = 8000;
let item = null, form = null, busy = null, waiting = [], pendingClass = null, draftTimer = null;
let message = null, visible = !document.hidden, activeSince = performance.now(), activeMs = 0, keysOn = localStorage.getItem("cn-keys") !== "off";

// ---------- small helpers
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "oninput") node[name] = value;
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null) node.append(child);
  return node;
}
const root = element.querySelector(".ab-root");
const live = element.querySelector(".ab-live");
const inField = () => /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement?.tagName || "");
const classOf = (code) => (code || "").split(".")[0];
const findClass = (code) => taxonomy.find((c) => c.code === classOf(code)) || null;
const findCode = (code) => { const c = findClass(code); return c && (c.code === code ? c : c.subs.find((s) => s.code === code)); };
// Time counts while the page is in front, and at most a minute between two actions.
const clock = () => { const now = performance.now(); if (visible) activeMs += Math.min(now - activeSince, 60000); activeSince = now; };
document.addEventListener("visibilitychange", () => { clock(); visible = !document.hidden; });

function emptyForm() {
  return { item_judgement: "valid", proposed_gold: "", response_judgement: null, primary: null, further: [], severity: null, confidence: null, rationale: "" };
}
function judgement() {
  const failure = form.response_judgement === "failure";
  const labels = !failure || !form.primary ? [] : [{ code: form.primary, primary: true },
    ...form.further.filter((c) => c !== form.primary).map((code) => ({ code, primary: false }))];
  return {
    item_judgement: form.item_judgement, response_judgement: form.response_judgement, labels,
    proposed_gold: form.item_judgement === "gold_wrong" && form.proposed_gold.trim() ? form.proposed_gold.trim() : null,
    severity: failure ? form.severity : null, confidence: form.confidence, rationale: form.rationale.trim() || null,
  };
}

// ---------- talking to the server: one request at a time, each with assignment id and revision
function send(event, extra = {}) {
  if (busy) { waiting.push([event, extra]); return; }
  clock();
  const out = { assignment_id: item?.assignment_id ?? null, revision: item?.revision ?? 0, form, active_ms: Math.round(activeMs), ...extra };
  if (event === "submit" || event === "select") out.judgement = judgement();
  busy = { event, timer: setTimeout(() => noAnswer(event), ANSWER_WAIT_MS) };
  root.toggleAttribute("data-busy", true);
  props.value = { out, sent: Date.now() + Math.random() };
  trigger(event);
}
function noAnswer() {
  busy = null; waiting = [];
  root.removeAttribute("data-busy");
  say("No answer from the server. Your work on this item is kept in this page; press Enter (or Submit) to send it again.", "bad");
}
// Gradio reloads the page when a lost server comes back, so what is in hand is also kept in this tab until sent.
const stash = () => { if (item) sessionStorage.setItem("cn-in-hand", JSON.stringify({ id: item.assignment_id, revision: item.revision, form })); };
const unstash = () => sessionStorage.removeItem("cn-in-hand");
function inHand(fresh) {
  const kept = JSON.parse(sessionStorage.getItem("cn-in-hand") || "null");
  if (!kept || kept.id !== fresh.assignment_id) return null;
  return kept.revision === fresh.revision || !fresh.answered ? kept.form : null;
}
document.addEventListener("submit", unstash);
function keepDraft() {
  stash();
  clearTimeout(draftTimer);
  draftTimer = setTimeout(() => {
    if (busy) { keepDraft(); return; }
    if (!item) return;
    props.value = { out: { assignment_id: item.assignment_id, revision: item.revision, form }, sent: Date.now() + Math.random() };
    trigger("input");
  }, 500);
}
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.kind) return;
  if (busy) clearTimeout(busy.timer);
  busy = null; root.removeAttribute("data-busy");
  const same = item && reply.item && reply.item.assignment_id === item.assignment_id;
  message = reply.message ? { text: reply.message, tone: reply.kind === "error" ? "bad" : "note" } : null;
  if (reply.kind === "error") {
    waiting = [];
    if (reply.item && !same) adopt(reply.item);
    else if (reply.item) item = reply.item;
    render(); return;
  }
  if (reply.kind === "done") { unstash(); item = null; waiting = []; render(reply); return; }
  if (same && reply.kind === "judged") item = reply.item;
  else { if (reply.kind === "item" && item) unstash(); adopt(reply.item); }
  render();
  const next = waiting.shift();
  if (next) send(...next);
});
function adopt(fresh) {
  item = fresh; form = { ...emptyForm(), ...(inHand(fresh) || fresh.draft || {}) };
  pendingClass = null; activeMs = fresh.active_ms || 0; activeSince = performance.now();
  window.scrollTo({ top: 0 });
  if (form.response_judgement !== null && item.revision === 0) waiting.unshift(["select", {}]);
  live.textContent = `Item ${fresh.progress.done + 1} of ${fresh.progress.total}. ${fresh.question}`;
}

// ---------- what the annotator does
function choose(field, value) {
  const first = form.response_judgement === null && field === "response_judgement";
  form[field] = value; message = null;
  if (field === "response_judgement") { if (value !== "failure") pendingClass = null; }
  if (first && item.revision === 0) send("select");
  render(); keepDraft();
}
function chooseClass(code) {
  const first = form.response_judgement === null;
  form.response_judgement = "failure"; form.primary = code; message = null;
  form.further = form.further.filter((c) => c !== code);
  pendingClass = findClass(code).subs.length && code === classOf(code) ? code : null;
  if (first && item.revision === 0) send("select");
  render(); keepDraft();
}
function submit() {
  clearTimeout(draftTimer);
  const lacks = form.response_judgement === null ? "Judge the response first: a, r, w, n, or a class letter."
    : form.item_judgement === "gold_wrong" && !form.proposed_gold.trim() ? "The gold is called wrong: propose the right one."
    : form.response_judgement !== "failure" ? null
    : !form.primary ? "A failure needs a primary label: press a class letter."
    : form.severity === null ? "A failure needs a severity: press 0 to 4, or - if not applicable." : null;
  if (lacks) { say(lacks, "warn"); return; }
  say(null); send("submit");
}
function skip() {
  const reason = window.prompt("Why skip this item? Back ([) leads to it again.");
  if (reason && reason.trim()) send("clear", { reason: reason.trim() });
}
function say(text, tone = "note") {
  message = text ? { text, tone } : null;
  const box = root.querySelector(".ab-message");
  if (box) box.replaceWith(messageBox());
}
function onKey(event) {
  if (!element.isConnected) { document.removeEventListener("keydown", onKey); return; }
  if (event.key === "Escape") { pendingClass = null; document.activeElement?.blur(); render(); return; }
  if (event.key === "Enter" && item && (event.ctrlKey || event.metaKey)) { event.preventDefault(); submit(); return; }
  if (!item || !keysOn || inField() || event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = document.activeElement?.tagName === "BUTTON" || document.activeElement?.tagName === "SUMMARY";
  if (event.key === "Enter") { if (!onButton) { event.preventDefault(); submit(); } return; }
  const key = event.key.toLowerCase();
  const action = keyAction(key);
  if (action) { event.preventDefault(); action(); }
}
function keyAction(key) {
  const sub = pendingClass && findClass(pendingClass).subs.find((s) => s.key === key);
  if (sub) return () => { pendingClass = null; chooseClass(sub.code); };
  const category = taxonomy.find((c) => c.key === key);
  if (category) return () => chooseClass(category.code);
  const response = RESPONSES.find(([, k]) => k === key);
  if (response) return () => choose("response_judgement", response[0]);
  const judged = ITEMS.find(([, k]) => k === key);
  if (judged) return () => choose("item_judgement", judged[0]);
  const severity = severities.find((s) => s.key === key);
  if (severity && form.response_judgement === "failure") return () => choose("severity", severity.value);
  return { t: () => root.querySelector("textarea")?.focus(), s: skip, "[": () => send("undo"),
    "?": () => { const sheet = root.querySelector(".ab-sheet"); if (sheet) sheet.open = !sheet.open; } }[key];
}
document.addEventListener("keydown", onKey);

// ---------- drawing
function option(label, key, pressed, onclick, extra = {}) {
  return el("button", { type: "button", class: "ab-option", "aria-pressed": String(pressed), "data-k": label, ...extra,
    // After a mouse click the keys go on working; after Tab, focus stays and Enter presses the button.
    onclick: (event) => { if (event.detail > 0) event.currentTarget.blur(); onclick(); } },
    key ? el("kbd", { "aria-hidden": "true" }, key) : null, el("span", {}, label));
}
function group(title, hint, body, layout = "") {
  return el("fieldset", {}, el("legend", {}, title + " ", hint ? el("small", {}, hint) : null), el("div", { class: "ab-options " + layout }, body));
}
function messageBox() {
  const box = el("div", { class: "ab-message" + (message ? " cn-note cn-" + message.tone : ""), role: "alert" });
  box.textContent = message ? message.text : "";
  return box;
}
function recordTable() {
  const lit = new Set((item.reveal?.evidence || []).map(([row, column]) => row + ":" + column));
  return el("div", { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": "Record table" }, el("table", { class: "cn-table" },
    el("caption", {}, `${item.table.rows.length} records, in time` + (lit.size ? "; the cells the gold rests on are marked" : "")),
    el("thead", {}, el("tr", {}, item.table.columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, item.table.rows.map((row, r) => el("tr", {}, row.map((cell, c) => {
      const marked = lit.has(r + ":" + c);
      return el("td", { class: marked ? "ab-evidence" : null }, cell, marked ? el("span", { class: "ab-sr" }, " (evidence)") : null);
    }))))));
}
function revealBox() {
  const r = item.reveal;
  if (!r) return null;
  return el("section", { class: "ab-reveal", "aria-label": "Gold answer" }, el("h2", {}, "Gold: " + r.answer),
    r.worked.length ? el("ol", {}, r.worked.map((step) => el("li", {}, step))) : null,
    el("p", {}, `The scorer read ${r.parsed === null ? "no answer" : "“" + r.parsed + "”"}: ${r.status}. ${r.reason}`));
}
function contextBox(open) {
  return el("details", { class: "ab-context-box", open }, el("summary", {}, "The context as the model saw it (" + item.representation + ")"), el("pre", { class: "ab-context", tabindex: "0" }, item.context));
}
function reading() {
  const tabled = item.table.rows.length > 0; // an item made elsewhere has no records: its context is the material
  return el("div", { class: "ab-read" }, el("p", { class: "ab-question" }, item.question),
    item.options.length ? el("ul", { class: "ab-choices", "aria-label": "Options" }, item.options.map((text) => el("li", {}, text))) : null,
    tabled ? recordTable() : item.context ? contextBox(true) : null,
    item.givens.length ? el("p", {}, "Also given: " + item.givens.join("; ")) : null,
    el("h2", {}, "The model's answer"),
    el("pre", { class: "ab-text" + (item.text.trim() ? "" : " ab-empty"), tabindex: "0" }, item.text.trim() ? item.text : "(the model wrote nothing)"),
    revealBox(), tabled ? contextBox(false) : null);
}
function classPicker() {
  const chosen = findClass(form.primary), shown = findCode(form.primary);
  return [group("Primary label", "the first error", taxonomy.map((c) => option(c.name, c.key, chosen?.code === c.code, () => chooseClass(c.code), { title: c.definition }))),
    chosen && chosen.subs.length ? el("div", { class: "ab-subs" }, group(chosen.name + ": which?", "optional, second key",
      chosen.subs.map((s) => option(s.name, s.key, form.primary === s.code, () => { pendingClass = null; chooseClass(form.primary === s.code ? chosen.code : s.code); }, { title: s.definition })))) : null,
    el("p", { class: "ab-help" }, shown ? shown.definition : "Of several errors, the first in the order read, select, rule, compute, round and unit, express.")];
}
function furtherLabels() {
  const codes = taxonomy.filter((c) => c.code !== classOf(form.primary));
  return el("details", { class: "ab-further", open: form.further.length > 0 }, el("summary", {}, `Further labels (${form.further.length})`),
    codes.map((c) => el("label", {}, Object.assign(el("input", { type: "checkbox", value: c.code, onclick: (e) => {
      form.further = e.target.checked ? [...form.further, c.code] : form.further.filter((x) => x !== c.code); keepDraft(); } }), { checked: form.further.includes(c.code) }), c.name)));
}
function severityPicker() {
  const level = severities.find((s) => s.value === form.severity);
  return [group("Severity", "worst credible harm", severities.map((s) => option(s.short, s.key === s.short ? null : s.key, form.severity === s.value, () => choose("severity", s.value), { title: s.name, "aria-label": "Severity " + s.short + ": " + s.name })), "ab-six"),
    el("p", { class: "ab-help" }, level ? `${level.short}: ${level.name}. ${level.example}` : "0 no effect … 4 death or permanent harm, if a clinician who cannot see the record acts on this answer.")];
}
function deciding() {
  const rationale = el("textarea", { id: "ab-rationale", rows: "2", maxlength: "4000", oninput: (e) => { form.rationale = e.target.value; keepDraft(); } });
  rationale.value = form.rationale;
  const gold = el("input", { type: "text", id: "ab-gold", maxlength: "200", oninput: (e) => { form.proposed_gold = e.target.value; keepDraft(); } });
  gold.value = form.proposed_gold;
  return el("div", { class: "ab-decide" }, messageBox(),
    group("The response", null, RESPONSES.map(([v, k, name]) => option(name, k, form.response_judgement === v, () => choose("response_judgement", v)))),
    form.response_judgement === "failure" || form.response_judgement === null ? classPicker() : null,
    form.response_judgement === "failure" ? severityPicker() : null,
    form.response_judgement === "failure" ? furtherLabels() : null,
    group("The item", "question and gold", ITEMS.map(([v, k, name]) => option(name, k, form.item_judgement === v, () => choose("item_judgement", v))), "ab-three"),
    form.item_judgement === "gold_wrong" ? el("fieldset", {}, el("label", { for: "ab-gold" }, "The right gold"), gold) : null,
    group("Confidence", "optional", [1, 2, 3].map((n) => option(["Low", "Medium", "High"][n - 1], null, form.confidence === n, () => choose("confidence", form.confidence === n ? null : n))), "ab-three"),
    el("fieldset", {}, el("legend", {}, el("label", { for: "ab-rationale" }, "Rationale"), " ", el("small", {}, "optional; t to write, Esc to leave")), rationale),
    el("div", { class: "ab-bar" }, el("button", { type: "button", class: "cn-button cn-quiet", onclick: () => send("undo"), title: "Back to the item before ([)" }, "Back"),
      el("button", { type: "button", class: "cn-button cn-quiet", onclick: skip, title: "Skip with a reason (s)" }, "Skip"),
      el("button", { type: "button", class: "cn-button cn-primary", onclick: submit }, "Submit, next ⏎")));
}
function progressLine() {
  const { done, total } = item.progress;
  const toggle = el("button", { type: "button", class: "cn-button cn-quiet", "aria-pressed": String(keysOn), onclick: () => { keysOn = !keysOn; localStorage.setItem("cn-keys", keysOn ? "on" : "off"); render(); } }, keysOn ? "Keys on" : "Keys off");
  return el("div", { class: "ab-progress" }, el("span", {}, `${item.study}: ${done} of ${total} done`), el("progress", { value: String(done), max: String(total), "aria-label": "Progress" }),
    item.answered ? el("span", {}, "You are revising an item you have already submitted.") : null, toggle,
    el("details", { class: "ab-sheet" }, el("summary", {}, "Key sheet (?)"), el("ul", { class: "ab-keys" },
      [...RESPONSES.map(([, k, n]) => [k, n]), ...taxonomy.map((c) => [c.key, c.name + (c.subs.length ? " (then its second letter)" : "")]), ...ITEMS.map(([, k, n]) => [k, "Item: " + n]),
        ["0-4 -", "Severity, - not applicable"], ["⏎", "Submit and go on (Ctrl+⏎ from a text field)"], ["[", "Back"], ["s", "Skip"], ["t", "Rationale"]]
        .map(([k, n]) => el("li", {}, el("kbd", {}, k), " " + n)))));
}
function render(done = null) {
  const held = root.contains(document.activeElement) ? document.activeElement : null;
  const key = held && (held.id ? "#" + held.id : held.dataset.k ? `[data-k="${CSS.escape(held.dataset.k)}"]` : null);
  const caret = held && "selectionStart" in held ? [held.selectionStart, held.selectionEnd] : null;
  const scroll = root.querySelector(".ab-decide")?.scrollTop || 0;
  root.classList.toggle("ab-keys-off", !keysOn);
  root.dataset.assignment = item ? item.assignment_id : "";
  if (!item) {
    root.replaceChildren(el("div", { class: "cn-note", role: "status" }, done?.message || message?.text || "Loading your next item…"),
      ...(done ? [el("button", { type: "button", class: "cn-button", onclick: () => send("undo") }, "Look at my last item again")] : []));
    return;
  }
  root.replaceChildren(progressLine(), el("div", { class: "ab-grid" }, reading(), deciding()));
  const box = root.querySelector(".ab-decide");
  box.scrollTop = scroll;
  const again = key && root.querySelector(key);
  if (again) { again.focus({ preventScroll: true }); if (caret && again.setSelectionRange) again.setSelectionRange(...caret); }
}
render();
