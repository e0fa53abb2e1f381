// The study chooser of the agreement page: one button a study, set as text.
const box = element.querySelector(".cn-choose");
function render() {
  const { names = [], chosen = null } = props.value || {};
  box.replaceChildren(...names.map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cn-button";
    button.setAttribute("aria-pressed", String(name === chosen));
    button.textContent = name;
    button.onclick = () => { props.value = { names, chosen: name }; render(); trigger("select"); };
    return button;
  }));
}
watch("value", render);
render();
