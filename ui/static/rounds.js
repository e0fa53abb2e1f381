// Reviews for curators: rounds, what waits for one, one round in full, and the form that opens one. After rounds_views.js.
const root = element.querySelector(".rd-root"), box = element.querySelector(".rd-message");
const ROUND = /^[0-9a-f]{16}$/;
let rounds = null, waiting = [], unreviewed = 0, found = null, open = null, planning = null, closing = false;
const chosen = new Set();
let sent = [];
const send = (action, more = {}) => ask("select", { action, ...more }, root, box);

watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out) return;
  if (reply.found) { answered(root); found = reply.found; draw(); return; }
  if (!reply.rounds) return;
  answered(root);
  const first = rounds === null, was = open, planned = planning;
  rounds = reply.rounds; waiting = reply.waiting; unreviewed = reply.unreviewed;
  const failed = reply.message && reply.message.tone === "bad";
  // What was sent is done with; answers to other comments that are half typed stay.
  const done = failed ? [] : was && reply.open && was.round === reply.open.round ? sent : ["reason", ...sent];
  for (const field of root.querySelectorAll("[data-keep]")) if (done.includes(field.dataset.keep)) field.value = "";
  sent = [];
  open = reply.open; closing = false;
  planning = failed && planned && !open ? planned : reply.planning;
  if (planning && (!planned || planned.template !== planning.template || planned.version !== planning.version)) chosen.clear();
  showMessage(box, reply.message);
  history.replaceState(null, "", open ? `?round=${open.round}` : first ? location.search || location.pathname : location.pathname);
  draw();
  if (first) { setTimeout(start); return; }
  if (failed) box.scrollIntoView({ block: "nearest" });
  else if ((open && (!was || was.round !== open.round)) || (planning && planning !== planned)) { window.scrollTo({ top: 0 }); root.querySelector("h2")?.focus({ preventScroll: true }); }
});
// A link from another page names a round, or a version to be reviewed.
function start() {
  const asked = new URLSearchParams(location.search), round = asked.get("round") || "", template = asked.get("template"), version = Number(asked.get("version"));
  if (ROUND.test(round)) send("show", { round });
  else if (template && Number.isInteger(version) && version > 0) plan(template.slice(0, 200), version);
}
const plan = (template, version) => send("plan", { template, version });
function draw() {
  if (rounds === null) return;
  redraw(root, open ? whole(open) : planning ? form(planning) : board());
}
// ---------- the board
function board() {
  const running = rounds.filter((one) => one.status === "open"), over = rounds.filter((one) => one.status !== "open");
  return [
    el("section", { "aria-label": "Open rounds" }, el("h2", { tabindex: "-1" }, "Open rounds"), running.length ? running.map(card) : el("p", { class: "cn-muted" }, "None.")),
    el("section", { "aria-label": "Waiting for a review" }, el("h2", {}, "Waiting for a review"), waiting.length ? waiting.map(version) : el("p", { class: "cn-muted" }, "No draft was sent and no version went back to review.")),
    el("section", { "aria-label": "Never reviewed" }, el("h2", {}, `Never reviewed: ${unreviewed}`),
      el("form", { class: "rd-find", onsubmit: (event) => { event.preventDefault(); send("find", { text: root.querySelector('[data-keep="find"]').value }); } },
        el("label", { class: "st-field" }, "Words of its id, tags or wording", el("input", { type: "search", "data-keep": "find", "data-key": "find", maxlength: "200", autocomplete: "off" })),
        el("button", { type: "submit", class: "cn-button", "data-key": "find-go" }, "Find")),
      found === null ? null : found.length ? found.map(version) : el("p", { class: "cn-muted", role: "status" }, "No unreviewed version has all of these words.")),
    over.length ? el("details", { "data-key": "over" }, el("summary", {}, `Closed rounds: ${over.length}`), over.map(card)) : null,
  ];
}
const pill = (one) => el("span", { class: `st-status ${one.status === "open" ? "st-open" : one.status === "returned" ? "st-paused" : ""}` }, wordOf[one.status]);
function card(one) {
  return el("article", { class: "st-card", "aria-label": `Review of ${aboutRound(one)}, round ${one.number}` },
    el("div", { class: "st-head" }, el("h3", {}, aboutRound(one)), pill(one), el("span", { class: "cn-muted" }, `round ${one.number}`)),
    el("div", { class: "st-progress" }, el("progress", { max: String(one.invited || 1), value: one.handed_in, "aria-label": `Reviews of ${aboutRound(one)}` }), el("span", {}, one.facts.join(" · "))),
    el("div", { class: "st-actions" }, actionButton(`show-${one.round}`, "Look at it", () => send("show", { round: one.round }), "cn-quiet", `Look at the review of ${aboutRound(one)}, round ${one.number}`)));
}
function version(one) {
  return el("article", { class: "st-card rd-version", "aria-label": aboutRound(one) },
    el("div", { class: "st-head" }, el("h3", {}, aboutRound(one)), el("span", { class: "cn-muted" }, one.why)), el("p", {}, one.wording),
    el("div", { class: "st-actions" }, actionButton(`plan-${one.template}-${one.version}`, "Choose experts", () => plan(one.template, one.version), "cn-quiet", `Choose experts for ${aboutRound(one)}`)));
}
// ---------- a new round
function form(one) {
  const submit = (event) => { event.preventDefault(); send("open", { template: one.template, version: one.version, experts: [...chosen] }); };
  const choose = (name) => (event) => { if (event.target.checked) chosen.add(name); else chosen.delete(name); draw(); };
  const n = chosen.size, needed = one.needed[String(n)];
  const told = needed ? `${n} chosen: ${needed === n ? "all" : needed} of them must rate 3 or 4 on each scale.` : `${n} chosen; a review takes ${one.fewest} to ${one.most} experts.`;
  return el("form", { class: "st-panel", onsubmit: submit },
    el("h2", { tabindex: "-1" }, `Review ${aboutRound(one)}`),
    el("p", {}, "Each expert works three instances without seeing the gold, and rates the template blind to the others."),
    el("fieldset", {}, el("legend", {}, "Experts"), one.people.length ? null : el("p", { class: "cn-note" }, "No account may review templates yet; an admin adds them on the page People."),
      el("div", { class: "st-options" }, one.people.map((person) => el("label", { class: "st-option" },
        el("input", { type: "checkbox", value: person.name, "data-key": `expert-${person.name}`, checked: chosen.has(person.name), disabled: Boolean(person.why_not), onchange: choose(person.name) }),
        el("span", {}, el("strong", {}, person.name), el("small", {}, person.why_not ? `${person.role}; ${person.why_not}` : person.role)))))),
    el("p", { class: "cn-muted", role: "status" }, told),
    el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-primary", "data-key": "open-round", disabled: !needed }, "Open the round"), back()));
}
const back = () => actionButton("back", "Back to all reviews", () => send("list"), "cn-quiet");
// ---------- one round
function whole(one) {
  return [
    el("div", { class: "st-actions rv-bar" }, back(), el("a", { href: `/bank/?template=${encodeURIComponent(one.template)}&version=${one.version}` }, "The template in the bank"),
      one.draft ? el("a", { href: `/draft/?draft=${encodeURIComponent(one.draft)}` }, "Its draft") : null),
    el("div", { class: "st-head rd-title" }, el("h2", { tabindex: "-1" }, aboutRound(one)), pill(one), el("span", { class: "cn-muted" }, `round ${one.number} · ${one.facts.join(" · ")}`)),
    el("p", {}, one.wording), one.reason ? el("p", { class: "cn-note" }, `Returned: ${one.reason}`) : null,
    one.hidden ? seatsOf(one) : null, checklistOf(one), figuresOf(one), mismatchesOf(one), remarksOf(one), one.hidden ? null : seatsOf(one), one.open ? decision(one) : null,
  ];
}
function decision(one) {
  const blocked = one.unanswered > 0;
  const value = () => root.querySelector('[data-keep="reason"]').value;
  return el("section", { class: "st-panel", "aria-label": "Decision" }, el("h2", {}, "Close the round"),
    blocked ? el("p", {}, "Answer every comment first.") : null,
    closing ? sure(one) : el("div", { class: "st-actions" },
      el("button", { type: "button", class: "cn-button cn-primary", "data-key": "accept", disabled: !one.accepted, onclick: () => { closing = true; draw(); root.querySelector('[data-key="leave"]')?.focus(); } }, "Accept"),
      one.accepted ? null : el("span", { class: "cn-muted" }, one.hidden ? "Possible once all have handed in and every condition is met." : "Possible once every condition is met.")),
    el("form", { onsubmit: (event) => { event.preventDefault(); sent = ["reason"]; send("return", { round: one.round, text: value() }); } },
      el("label", { class: "st-field" }, "Or return it: why, and what is to be changed", el("textarea", { "data-keep": "reason", "data-key": "reason", rows: "3", maxlength: "2000" })),
      one.hidden ? el("p", { class: "cn-muted" }, "Not all have handed in: if you return it now, what experts have said stays hidden for good.") : null,
      el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button", "data-key": "return", disabled: blocked }, "Return it"))));
}
function sure(one) {
  const leave = () => { closing = false; draw(); root.querySelector('[data-key="accept"]')?.focus(); };
  return el("div", { class: "cn-note cn-warn", role: "alertdialog", "aria-label": "Accept it?", onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    el("strong", {}, "Accept it?"), el("p", {}, `${aboutRound(one)} is then validated and never rewritten; older versions of it retire.`),
    el("div", { class: "st-actions" }, actionButton("leave", "Leave it open", leave), actionButton("sure", "Accept the template", () => send("accept", { round: one.round }), "cn-primary")));
}
draw();
