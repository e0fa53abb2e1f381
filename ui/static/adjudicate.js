// The adjudicate page. Body of a function that Gradio calls with element, props, trigger and watch.
// Everything shown is set as text, so that nobody's words can become markup.
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
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else if (value !== null && value !== false && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}
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
  const about = item ? { study_id: item.study_id, generation: item.generation } : {};
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
  const same = item && item.generation === fresh.generation;
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

// ---------- drawing: what there is to read
function badge(places) { return el("sup", { class: "aj-badge" }, names(places)); }
function answerText() {
  const pieces = item.text.map(({ t, p }) => p.length
    ? el("mark", { class: p.length === 1 ? tint(p[0]) : "aj-mix" }, t, badge(p)) : document.createTextNode(t));
  const blank = !item.text.some(({ t }) => t.trim());
  return el("pre", { class: "aj-text", tabindex: "0", role: "region", "aria-label": "The model's answer" }, blank ? "(the model wrote nothing)" : pieces);
}
function recordTable() {
  if (!item.table.rows.length) return null;
  const gold = new Set(item.gold_cells.map(([r, c]) => r + ":" + c));
  const cell = (text, r, c) => {
    const places = item.cells[r + ":" + c] || [], lit = gold.has(r + ":" + c);
    return el("td", { class: (places.length === 1 ? tint(places[0]) : places.length ? "aj-mix" : "") + (lit ? " aj-gold" : "") }, text,
      places.length ? badge(places) : null, lit ? el("span", { class: "aj-sr" }, " (the gold rests on it)") : null);
  };
  return el("div", { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": "Record table" }, el("table", { class: "cn-table" },
    el("caption", {}, `${item.table.rows.length} records, in time; framed: what the gold rests on; letters: the positions' evidence`),
    el("thead", {}, el("tr", {}, item.table.columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, item.table.rows.map((row, r) => el("tr", {}, row.map((text, c) => cell(text, r, c)))))));
}
function goldBox() {
  const s = item.score;
  return el("section", { class: "aj-goldbox", "aria-label": "Gold answer" }, el("h2", {}, "Gold: " + item.gold),
    item.worked.length ? el("ol", {}, item.worked.map((step) => el("li", {}, step))) : null,
    el("p", {}, `The scorer read ${s.parsed === null ? "no answer" : "“" + s.parsed + "”"}: ${s.status}. ${s.reason}`));
}
function reading() {
  const tabled = item.table.rows.length > 0;
  const context = el("details", { class: "aj-context-box", open: !tabled && !!item.context }, el("summary", {}, `The context as the model saw it (${item.representation})`),
    el("pre", { class: "aj-context", tabindex: "0" }, item.context));
  return el("div", { class: "aj-read" }, el("p", { class: "aj-question" }, item.question),
    item.options.length ? el("ul", { class: "aj-plain", "aria-label": "Options" }, item.options.map((text) => el("li", {}, text))) : null,
    recordTable(), item.givens.length ? el("p", {}, "Also given: " + item.givens.join("; ")) : null,
    el("h2", {}, "The model's answer", item.model ? el("small", { class: "cn-muted" }, " " + item.model) : null), answerText(), goldBox(), context);
}

// ---------- drawing: positions and the decision
function positionCard(one, place) {
  const facts = [["Item", one.item + (one.proposed ? `: ${one.proposed}` : "")], ["Primary", one.primary], ["Further", one.further.join("; ")], ["Severity", one.severity], ["Confidence", one.confidence]];
  const head = [el("span", { class: "aj-letter " + tint(place) }, letter(place)), el("strong", {}, one.response)];
  const take = item.due.length ? el("button", { type: "button", class: "aj-take", "aria-pressed": String(picked === place), "data-k": "take" + place,
    onclick: (event) => { if (event.detail > 0) event.currentTarget.blur(); pick(place); }, "aria-label": `Take position ${letter(place)} over: ${one.response}${one.primary ? ", " + one.primary : ""}` },
    place < 9 && !form ? el("kbd", { "aria-hidden": "true" }, String(place + 1)) : null, picked === place ? "Taken over" : "Take over") : null;
  return el("li", { class: "aj-position" + (picked === place ? " aj-picked" : "") }, el("p", { class: "aj-position-head" }, head),
    el("dl", {}, facts.filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    one.rationales.map((text) => el("blockquote", {}, text)), take);
}
function option(label, key, pressed, onclick, extra = {}) {
  return el("button", { type: "button", class: "aj-option", "aria-pressed": String(pressed), "data-k": label, ...extra,
    onclick: (event) => { if (event.detail > 0) event.currentTarget.blur(); onclick(); } }, key ? el("kbd", { "aria-hidden": "true" }, key) : null, el("span", {}, label));
}
function group(title, hint, body, layout = "") {
  return el("fieldset", {}, el("legend", {}, title + " ", hint ? el("small", {}, hint) : null), el("div", { class: "aj-options " + layout }, body));
}
function ownForm() {
  const f = form || emptyForm(), chosen = f.primary && findClass(f.primary), failure = f.response_judgement === "failure";
  const gold = el("input", { type: "text", id: "aj-gold", maxlength: "200", value: f.proposed_gold, oninput: (e) => { compose(); form.proposed_gold = e.target.value; keep(); } });
  return el("details", { class: "aj-own", open: !!form, ontoggle: (event) => { if (event.target.open && !form) { compose(); render("#aj-own-summary"); } } },
    el("summary", { id: "aj-own-summary" }, "A judgement of your own"),
    group("The response", null, RESPONSES.map(([v, k, name]) => option(name, k, f.response_judgement === v, () => choose("response_judgement", v)))),
    failure || f.response_judgement === null ? group("Primary label", "the first error", item.taxonomy.map((c) => option(c.name, c.key, chosen?.code === c.code, () => chooseClass(c.code), { title: c.definition }))) : null,
    failure && chosen?.subs.length ? group(chosen.name + ": which?", "optional, second key", chosen.subs.map((s) => option(s.name, s.key, f.primary === s.code, () => { pendingClass = null; chooseClass(f.primary === s.code ? chosen.code : s.code); }, { title: s.definition }))) : null,
    failure ? group("Severity", "worst credible harm", item.severities.map((s) => option(s.short, s.key === s.short ? null : s.key, f.severity === s.value, () => choose("severity", s.value), { title: s.name, "aria-label": "Severity " + s.short + ": " + s.name })), "aj-six") : null,
    failure ? furtherLabels() : null,
    group("The item", "question and gold", ITEMS.map(([v, k, name]) => option(name, k, f.item_judgement === v, () => choose("item_judgement", v))), "aj-three"),
    f.item_judgement === "gold_wrong" ? el("p", {}, el("label", { for: "aj-gold" }, "The right gold"), gold) : null,
    form ? button("Back to the positions", () => { form = null; pendingClass = null; forget(); render(); }, "cn-quiet") : null);
}
function furtherLabels() {
  const codes = item.taxonomy.filter((c) => c.code !== classOf(form.primary));
  const known = new Set(item.taxonomy.map((c) => c.code));
  const finer = form.further.filter((c) => !known.has(c) && classOf(c) !== classOf(form.primary)).map((code) => ({ code, name: findClass(code).subs.find((s) => s.code === code)?.name || code }));
  return el("details", { class: "aj-further", open: form.further.length > 0 }, el("summary", {}, `Further labels (${form.further.length})`),
    [...codes, ...finer].map((c) => el("label", {}, Object.assign(el("input", { type: "checkbox", value: c.code, onclick: (e) => {
      form.further = e.target.checked ? [...form.further, c.code] : form.further.filter((x) => x !== c.code); keep(); } }), { checked: form.further.includes(c.code) }), c.name)));
}
function field(id, title, hint, value, oninput) {
  const area = el("textarea", { id, rows: "2", maxlength: "2000", oninput });
  area.value = value;
  return el("p", { class: "aj-field" }, el("label", { for: id }, title, " ", el("small", {}, hint)), area);
}
function deciding() {
  const due = item.due.length > 0, d = item.decided;
  return [
    d ? el("div", { class: "cn-note" + (d.stands ? "" : " cn-warn") }, d.stands ? `Decided ${d.at}: ${d.said}. A new decision supersedes it.` : `Decided ${d.at}: ${d.said}. A judgement was revised or added since, so it is due again.`, d.comment ? el("blockquote", {}, d.comment) : null) : null,
    el("h2", {}, due ? "What was said" : item.positions.length ? "What was said (nothing is due)" : "Nobody's judgement is in yet"),
    due ? el("ul", { class: "aj-due" }, item.due.map((one) => el("li", {}, one))) : null,
    el("ul", { class: "aj-positions" }, item.positions.map(positionCard)),
    due ? [ownForm(), field("aj-comment", "Comment", "optional; t to write, Esc to leave", comment, (e) => { comment = e.target.value; keep(); })] : null,
  ];
}

// ---------- drawing: contests and flags
function claimBox(one) {
  const shown = outlook && outlook.claim === one.key;
  return el("section", { class: "aj-claim", "aria-label": "Contest" }, el("h2", {}, "Contest: " + one.title + (one.proposed ? `; proposed ${one.proposed}` : "")),
    one.rationales.map((text) => el("blockquote", {}, text)),
    !item.may_decide_claims ? el("p", {}, "You have judged this question yourself: another adjudicator decides.")
      : shown ? outlookBox(one) : button("See what upholding does, and decide", () => send("expand", { claim: one.key })));
}
function whyField(key, title, hint) { return field("aj-why-" + key, title, hint, why[key] || "", (e) => { why[key] = e.target.value; }); }
function withWhy(key, go) {
  const text = (why[key] || "").trim();
  if (text) { go(text); return; }
  say("Write a comment first: it is kept with the decision.", "warn");
  root.querySelector("#aj-why-" + key)?.focus();
}
function outlookBox(one) {
  const o = outlook, about = { claim: one.key, scope: o.scope || "group" };
  const test = o.faults.length
    ? [el("p", {}, "The validity rules find a fault in this question:"), el("ul", {}, o.faults.map((text) => el("li", {}, el("code", {}, text)))),
      el("p", {}, `Tested on ${o.tested} instances of ${o.template}: ${o.n + o.already} fail${o.unchecked ? `, ${o.unchecked} could not be examined` : ""}.`)]
    : [el("p", {}, "No validity rule finds a fault: it is one of wording or judgement. Choose how far it goes:"),
      group("Taken out", null, o.scopes.map((s) => option(s.name, null, o.scope === s.value, () => send("expand", { claim: one.key, scope: s.value }))), "aj-one")];
  return el("section", { class: "aj-outlook", tabindex: "-1", "aria-label": "What upholding does" }, el("h3", {}, "What upholding does"), test,
    el("p", {}, el("strong", {}, `${o.n} instance${o.n === 1 ? "" : "s"} go${o.n === 1 ? "es" : ""} out, for every model, right or wrong`), o.already ? `; ${o.already} more are out already` : "", `. ${o.template} goes back to review.`),
    o.taken.length ? el("details", {}, el("summary", {}, o.n > o.taken.length ? `The first ${o.taken.length} of them` : "Which ones"), el("ul", { class: "aj-taken" }, o.taken.map((t) => el("li", {}, el("code", {}, t.id), ` ${t.what}${t.why ? ": " + t.why : ""}`)))) : null,
    el("div", { class: "cn-table-wrap", tabindex: "0", role: "region", "aria-label": "Accuracy before and after" }, el("table", { class: "cn-table" }, el("caption", {}, "Accuracy with its 95 % interval"),
      el("thead", {}, el("tr", {}, ["Model", "Now", "If upheld"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, o.effects.map((row) => el("tr", {}, row.map((text) => el("td", {}, text))))))),
    whyField(one.key, "Why", "kept with the decision"),
    el("div", { class: "aj-row" }, button(`Uphold: take out ${o.n}`, () => withWhy(one.key, (text) => send("apply", { ...about, mark: o.mark, comment: text })), "cn-primary"),
      button("Reject", () => withWhy(one.key, (text) => send("delete", { claim: one.key, comment: text }))), button("Not now", () => { outlook = null; render(); }, "cn-quiet")));
}
function flagBox(one) {
  return el("section", { class: "aj-claim", "aria-label": "Flag" }, el("h2", {}, "Flag"), el("blockquote", {}, one.note),
    whyField(one.key, "Answer", "kept in the log"),
    button("Answer the flag", () => withWhy(one.key, (text) => send("edit", { flag: one.key, comment: text }))));
}

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
    el("ol", {}, queue.items.map((one) => el("li", {}, el("button", { type: "button", class: "aj-entry", "aria-current": item && one.generation === item.generation ? "true" : null,
      onclick: () => { queueOpen = false; send("select", { study_id: one.study_id, generation: one.generation }); } }, el("span", { class: "cn-muted" }, one.study + " "), one.why)))),
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
  root.dataset.item = item ? item.generation : "";
  const top = queue ? queueLine() : null;
  if (!item) {
    root.replaceChildren(...[top, message ? messageBox() : el("div", { class: "cn-note", role: "status" }, "Loading…"), queue ? el("div", { class: "aj-row" }, button("Look at what I decided last", () => send("undo"))) : null].filter(Boolean));
  } else {
    root.replaceChildren(top, el("div", { class: "aj-grid" }, reading(), el("div", { class: "aj-side" }, messageBox(), item.claims.map(claimBox), item.flags.map(flagBox), deciding(), bar())));
  }
  const again = key && root.querySelector(key);
  if (again) { again.focus({ preventScroll: !focus }); if (caret && !focus && again.setSelectionRange) again.setSelectionRange(...caret); }
}
render();
