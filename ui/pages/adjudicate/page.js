// The adjudicate page, after dom.js and adjudicate_views.js: state, server, keys, and the frame.
// Body of a function that Gradio calls with element, props, trigger and watch.
const RESPONSES = [
  ["acceptable", "a", "Acceptable"], ["right_answer_unsound_reasoning", "r", "Right answer, unsound reasoning"],
  ["failure", "w", "Failure"], ["cannot_judge", "n", "Cannot judge"],
];
const ITEMS = [["valid", "v", "Valid"], ["gold_wrong", "g", "Gold is wrong"], ["ambiguous", "b", "Ambiguous"]];
const ANSWER_WAIT_MS = 20000;
const root = element.querySelector(".aj-root");
const live = element.querySelector(".aj-live");
let item = null, queue = null, outlook = null, message = null, busy = null;
let picked = null, form = null, comment = "", why = {}, pendingClass = null;
let keysOn = localStorage.getItem("cn-keys") !== "off", queueOpen = false;

// ---------- small helpers
const letter = (place) => place < 26 ? String.fromCharCode(65 + place) : String(place + 1);
const tint = (place) => "aj-p" + place % 6;
const inField = () => /^(TEXTAREA|INPUT|SELECT)$/.test(document.activeElement?.tagName || "");
const classOf = (code) => (code || "").split(".")[0];
const findClass = (code) => item.taxonomy.find((c) => c.code === classOf(code)) || null;
const emptyForm = () => ({ item_judgement: "valid", proposed_gold: "", response_judgement: null, primary: null, further: [], severity: null });
const names = (places) => places.map(letter).join(", ");
function button(text, onclick, css = "", extra = {}) {
  return el("button", { type: "button", class: "cn-button " + css, "data-k": text, onclick, ...extra }, text);
}
function judgement() {
  const failure = form.response_judgement === "failure";
  const labels = !failure || !form.primary ? [] : [{ code: form.primary, primary: true },
    ...form.further.filter((c) => c !== form.primary).map((code) => ({ code, primary: false }))];
  return {
    item_judgement: form.item_judgement, response_judgement: form.response_judgement, labels,
    proposed_gold: form.item_judgement === "gold_wrong" && form.proposed_gold.trim() ? form.proposed_gold.trim() : null,
    severity: failure ? form.severity : null,
  };
}

// ---------- talking to the server: one request at a time
function send(event, extra = {}) {
  if (busy) return;
  const about = item ? { study_id: item.study_id, item: item.item } : {};
  busy = setTimeout(() => { busy = null; root.removeAttribute("data-busy"); say("No answer from the server. Nothing is lost in this page; try again.", "bad"); }, ANSWER_WAIT_MS);
  root.toggleAttribute("data-busy", true);
  props.value = { out: { ...about, ...extra }, sent: Date.now() + Math.random() };
  trigger(event);
}
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.kind) return;
  clearTimeout(busy); busy = null; root.removeAttribute("data-busy");
  message = reply.message ? { text: reply.message, tone: reply.kind === "error" ? "bad" : "note" } : null;
  if (reply.queue) queue = reply.queue;
  if (reply.kind === "outlook") { outlook = { ...reply.outlook, claim: reply.claim }; render(".aj-outlook"); return; }
  if (reply.kind === "error") { if (reply.item) adopt(reply.item, true); render(".aj-message"); return; }
  if (reply.kind === "done") { item = null; forget(); render(); return; }
  adopt(reply.item, false);
  render();
});
// Gradio reloads the page when a lost server comes back: what is in hand is kept in this tab until it is decided.
const KEPT = "cn-adjudication";
const keep = () => { if (item) sessionStorage.setItem(KEPT, JSON.stringify({ seen: item.seen, form, comment })); };
const forget = () => sessionStorage.removeItem(KEPT);
function adopt(fresh, stay) {
  const same = item && item.item === fresh.item;
  if (!same) { comment = ""; window.scrollTo({ top: 0 }); }
  if (!stay) why = {};
  item = fresh; outlook = null; pendingClass = null;
  if (!(same && stay)) form = null;
  picked = null;
  const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
  if (kept && kept.seen === item.seen) { form = kept.form; comment = kept.comment || ""; }
  live.textContent = fresh.question;
}

// ---------- what the adjudicator does
function pick(place) { if (!item.due.length || place >= item.positions.length) return; picked = place; form = null; pendingClass = null; message = null; keep(); render(); }
function compose() {
  if (form || !item.due.length) return;
  const start = picked === null ? {} : item.positions[picked].form;
  form = { ...emptyForm(), ...Object.fromEntries(Object.keys(emptyForm()).filter((k) => k in start).map((k) => [k, start[k]])) };
  picked = null;
}
function choose(field, value) { compose(); if (!form) return; form[field] = value; message = null; keep(); render(); }
function chooseClass(code) {
  compose(); if (!form) return;
  form.response_judgement = "failure"; form.primary = code; message = null;
  form.further = form.further.filter((c) => c !== code);
  pendingClass = findClass(code).subs.length && code === classOf(code) ? code : null;
  keep(); render();
}
function decide() {
  if (!item.due.length) { say("Nothing is due on this item; decide the contest or the flag, or go on (l).", "warn"); return; }
  if (picked !== null) { forget(); send("submit", { seen: item.seen, position: picked, comment }); return; }
  const lacks = !form ? "Take a position over (1 to 9), or give a judgement of your own (a, r, w, n or a class letter)."
    : form.response_judgement === null ? "Judge the response: a, r, w, n, or a class letter."
    : form.item_judgement === "gold_wrong" && !form.proposed_gold.trim() ? "The gold is called wrong: propose the right one."
    : form.response_judgement !== "failure" ? null
    : !form.primary ? "A failure needs a primary label: press a class letter."
    : form.severity === null ? "A failure needs a severity: press 0 to 4, or - if not applicable." : null;
  if (lacks) { say(lacks, "warn"); return; }
  send("submit", { seen: item.seen, judgement: judgement(), comment });
}
function say(text, tone) {
  message = text ? { text, tone } : null;
  root.querySelector(".aj-message")?.replaceWith(messageBox());
}
function onKey(event) {
  if (!element.isConnected) { document.removeEventListener("keydown", onKey); return; }
  if (event.key === "Escape") { if (inField()) document.activeElement.blur(); else if (outlook) { outlook = null; render(); } else if (form) { form = null; pendingClass = null; forget(); render(); } return; }
  if (event.key === "Enter" && item && (event.ctrlKey || event.metaKey) && document.activeElement?.id === "aj-comment") { event.preventDefault(); decide(); return; }
  if (!item || !keysOn || inField() || event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = /^(BUTTON|SUMMARY|A)$/.test(document.activeElement?.tagName || "");
  if (event.key === "Enter") { if (!onButton) { event.preventDefault(); decide(); } return; }
  const action = keyAction(event.key.toLowerCase());
  if (action) { event.preventDefault(); action(); }
}
function keyAction(key) {
  const sub = pendingClass && findClass(pendingClass).subs.find((s) => s.key === key);
  if (sub) return () => { pendingClass = null; chooseClass(sub.code); };
  const level = form?.response_judgement === "failure" && item.severities.find((s) => s.key === key);
  if (level) return () => choose("severity", level.value);
  if (/^[1-9]$/.test(key) && !form) return () => pick(Number(key) - 1);
  const group = item.taxonomy.find((c) => c.key === key);
  if (group) return () => chooseClass(group.code);
  const response = RESPONSES.find(([, k]) => k === key);
  if (response) return () => choose("response_judgement", response[0]);
  const judged = ITEMS.find(([, k]) => k === key);
  if (judged) return () => choose("item_judgement", judged[0]);
  return { t: () => root.querySelector("#aj-comment")?.focus(), l: () => send("clear"), "[": () => send("undo"),
    "?": () => { const sheet = root.querySelector(".aj-sheet"); if (sheet) sheet.open = !sheet.open; } }[key];
}
document.addEventListener("keydown", onKey);

// ---------- drawing: the whole
function messageBox() {
  const box = el("div", { class: "aj-message" + (message ? " cn-note cn-" + message.tone : ""), role: "alert", tabindex: "-1" });
  box.textContent = message ? message.text : "";
  return box;
}
function queueLine() {
  const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const toggle = button(keysOn ? "Keys on" : "Keys off", () => { keysOn = !keysOn; localStorage.setItem("cn-keys", keysOn ? "on" : "off"); render(); }, "cn-quiet", { "aria-pressed": String(keysOn), "data-k": "keys" });
  const list = el("details", { class: "aj-queue", open: queueOpen, ontoggle: (event) => { queueOpen = event.target.open; } },
    el("summary", {}, `Waiting: ${count(queue.due, "disagreement", "disagreements")}, ${count(queue.contested, "contested item", "contested items")}, ${count(queue.flagged, "flag", "flags")}`),
    el("ol", {}, queue.items.map((one) => el("li", {}, el("button", { type: "button", class: "aj-entry", "aria-current": item && one.item === item.item ? "true" : null,
      onclick: () => { queueOpen = false; send("select", { study_id: one.study_id, item: one.item }); } }, el("span", { class: "cn-muted" }, one.study + " "), one.why)))),
    queue.more ? el("p", { class: "cn-muted" }, `and ${queue.more} more`) : null);
  return el("div", { class: "aj-top" }, list, item ? el("span", { class: "cn-muted" }, item.study) : null, toggle, item ? keySheet() : null);
}
function keySheet() {
  const rows = [["1–9", "Take a position over"], ["⏎", "Decide and go on (Ctrl+⏎ from the comment)"], ...RESPONSES.map(([, k, n]) => [k, n]),
    ...item.taxonomy.map((c) => [c.key, c.name + (c.subs.length ? " (then its second letter)" : "")]), ["0–4 -", "Severity, once you judge yourself"], ...ITEMS.map(([, k, n]) => [k, "Item: " + n]),
    ["Esc", "Back to the positions"], ["t", "Comment"], ["l", "Later: leave it waiting"], ["[", "Back to what you decided"]];
  return el("details", { class: "aj-sheet" }, el("summary", {}, "Key sheet (?)"), el("ul", { class: "aj-keys" }, rows.map(([k, n]) => el("li", {}, el("kbd", {}, k), " " + n))));
}
function bar() {
  return el("div", { class: "aj-bar" }, button("Back", () => send("undo"), "cn-quiet", { title: "What you decided before ([)" }), button("Later", () => send("clear"), "cn-quiet", { title: "Leave it waiting (l)" }),
    item.due.length ? button("Decide, next ⏎", decide, "cn-primary") : null);
}
function render(focus = null) {
  const held = root.contains(document.activeElement) ? document.activeElement : null;
  const key = focus || (held && (held.id ? "#" + held.id : held.dataset.k ? `[data-k="${CSS.escape(held.dataset.k)}"]` : null));
  const caret = held && held.selectionStart !== undefined ? [held.selectionStart, held.selectionEnd] : null;
  root.classList.toggle("aj-keys-off", !keysOn);
  root.dataset.item = item ? item.item : "";
  const top = queue ? queueLine() : null;
  if (!item) {
    root.replaceChildren(...[top, message ? messageBox() : el("div", { class: "cn-note", role: "status" }, "Loading…"), queue ? el("div", { class: "aj-row" }, button("Look at what I decided last", () => send("undo"))) : null].filter(Boolean));
  } else {
    root.replaceChildren(...[top, terms()].filter(Boolean), el("div", { class: "aj-grid" }, reading(), el("div", { class: "aj-side" }, messageBox(), item.claims.map(claimBox), item.flags.map(flagBox), deciding(), bar())));
  }
  const again = key && root.querySelector(key);
  if (again) { again.focus({ preventScroll: !focus }); if (caret && !focus && again.setSelectionRange) again.setSelectionRange(...caret); }
}
render();
