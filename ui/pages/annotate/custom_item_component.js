// The slot beside the item, which a lab may fill with a component of its own (`custom_item_component.py`).
const LOOK_AGAIN_MS = 200;

// Ask the server to show the item there; until it has, what is shown for another item stays hidden.
export function showItemView(assignment, expected) {
  if (!expected) return;
  const slot = document.getElementById("item-view"),
    trigger = document.getElementById("item-view-show");
  slot?.toggleAttribute("data-other", true);
  if (!assignment) return;
  if (slot && trigger) trigger.click();
  // Gradio may still be building the page.
  else setTimeout(() => showItemView(document.querySelector(".ab-root").dataset.assignment, expected), LOOK_AGAIN_MS);
}
