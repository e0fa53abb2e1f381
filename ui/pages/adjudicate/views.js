// What the adjudicate page draws of an item, between dom.js and adjudicate.js. Everything is set as text.
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
function terms() {
  return item.data_use ? el("details", { class: "cn-terms" }, el("summary", {}, "Credentialed data: do not copy it elsewhere."), el("p", {}, item.data_use)) : null;
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
    onclick: (event) => { if (event.detail > 0) event.currentTarget.blur(); pick(place); } },
    place < 9 && !form ? el("kbd", { "aria-hidden": "true" }, String(place + 1)) : null, picked === place ? "Taken over" : "Take over",
    el("span", { class: "aj-sr" }, `: position ${letter(place)}, ${one.response}${one.primary ? ", " + one.primary : ""}`)) : null;
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
    o.taken.length ? el("details", {}, el("summary", {}, o.n > o.taken.length ? `The first ${o.taken.length} of them` : "Which ones"), el("div", { class: "aj-taken", tabindex: "0", role: "region", "aria-label": "Instances that go out" }, el("ul", {}, o.taken.map((t) => el("li", {}, el("code", {}, t.id), ` ${t.what}${t.why ? ": " + t.why : ""}`))))) : null,
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
