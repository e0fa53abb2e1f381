// Which run's accuracy is shown: one button a run. After dom.js.
const root = element.querySelector(".cn-choose"), box = element.querySelector(".st-message");
let names = [], chosen = null;
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.names) return;
  answered(root);
  names = reply.names; chosen = reply.chosen;
  redraw(root, names.map((name) => el("button", { type: "button", class: "cn-button", "data-key": name, "aria-pressed": String(name === chosen),
    onclick: () => ask("select", { run: name }, root, box) }, name)));
});
