// How a round is drawn: experts, ratings, checklist, comments. After dom.js.
const aboutRound = (one) => `${one.template} version ${one.version}`;
const wordOf = { open: "open", accepted: "accepted", returned: "returned" };
function seatsOf(one) {
  return el("section", { "aria-label": "Experts" }, el("h3", {}, "Experts"),
    el("ul", { class: "rd-seats" }, one.seats.map((seat) => el("li", {}, el("strong", {}, seat.name), ` ${seat.state} `,
      seat.removable ? actionButton(`withdraw-${seat.name}`, "Take back", () => send("withdraw", { round: one.round, text: seat.name }), "cn-quiet", `Take back the invitation of ${seat.name}`) : null))),
    one.invitable.length ? el("fieldset", {}, el("legend", {}, "Invite one more"),
      el("div", { class: "st-actions" }, one.invitable.map((name) => actionButton(`invite-${name}`, name, () => send("invite", { round: one.round, text: name }), "cn-quiet", `Invite ${name}`)))) : null);
}
function figuresOf(one) {
  if (one.hidden) return el("p", { class: "cn-note" }, one.hidden);
  if (!one.ratings) return null;
  return el("section", { "aria-label": "Ratings" }, el("h3", {}, "Ratings"),
    el("p", { class: "cn-muted" }, "1 speaks against, 4 for the template; the order of experts is not that of their names."),
    dataTable("Ratings and content validity", one.ratings.columns.map((title, at) => [title, at === 0]), one.ratings.rows),
    el("p", {}, one.average),
    el("details", { "data-key": "agreement" }, el("summary", {}, "Agreement between experts"),
      dataTable("On the scales as items", [["Coefficient", true], ["Value", false], ["95 % interval, or why there is none", true]], one.agreement.map(([name, value, why]) => [name, value, el("span", { class: "rd-why" }, why)]))));
}
function checklistOf(one) {
  if (!one.verdict) return null;
  return el("section", { "aria-label": "Conditions" }, el("h3", {}, one.open ? (one.accepted ? "Every condition is met" : "Not every condition is met") : "Conditions when it closed"),
    el("ul", { class: "rd-checks" }, one.verdict.map((line) => el("li", { class: line.met ? "rd-met" : "rd-unmet" },
      el("strong", { class: "rd-mark" }, line.met ? "Met" : "Not met"), el("span", {}, line.title, el("small", {}, line.figures))))));
}
function mismatchesOf(one) {
  if (!one.mismatches.length) return null;
  return el("section", { "aria-label": "Answers that differ from the gold" }, el("h3", {}, "Answers that differ from the gold"),
    el("ul", {}, one.mismatches.map((m) => el("li", {}, el("strong", {}, `${m.expert}, question ${m.number}: `), `${m.answer}, where the gold is ${m.gold}. `, el("span", { class: "cn-muted" }, m.question)))));
}
function remarksOf(one) {
  if (!one.remarks.length) return el("section", { "aria-label": "Comments" }, el("h3", {}, "Comments"), el("p", { class: "cn-muted" }, one.hidden ? (one.open ? "None to read yet." : "Not shown.") : "None."));
  return el("section", { "aria-label": "Comments" }, el("h3", {}, one.open && one.unanswered ? `Comments: ${one.unanswered} to answer` : "Comments"),
    one.remarks.map((remark, at) => {
      const key = `reply-${remark.key}`;
      const submit = (event) => { event.preventDefault(); sent = [key]; send("reply", { round: one.round, comment: remark.key, text: root.querySelector(`[data-keep="${key}"]`).value }); };
      return el("article", { class: "rd-remark", "aria-label": `Comment ${at + 1}` }, el("p", {}, el("strong", {}, `${remark.expert} on ${remark.about.toLowerCase()}: `), remark.text),
        remark.reply ? el("p", { class: "rv-reply" }, `Answer: ${remark.reply}`) : null,
        one.open ? el("details", { "data-key": `put-${remark.key}`, open: !remark.reply }, el("summary", {}, remark.reply ? "Put the answer otherwise" : "Answer it"),
          el("form", { onsubmit: submit }, el("label", { class: "st-field" }, "How it was addressed; the expert reads this",
            el("textarea", { "data-keep": key, "data-key": key, rows: "2", maxlength: "2000" })),
            el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-quiet", "data-key": `send-${remark.key}` }, "Save the answer")))) : null);
    }));
}
