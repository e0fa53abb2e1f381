// Which run's accuracy is shown: one button a run. After dom.js.
const root = element.querySelector(".cn-choose"), box = element.querySelector(".st-message");
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.runs) return;
  answered(root);
  showMessage(box, null);
  redraw(root, reply.runs.map(({ id, name }) => el("button", { type: "button", class: "cn-button", "data-key": id, "aria-pressed": String(id === reply.chosen),
    onclick: () => ask("select", { run: id }, root, box) }, name)));
});
