// Gradio opens every link of a Markdown text in a new tab; those to our own pages stay in this one, but for those
// (`data-new-tab`) that would take a form away that is being filled in.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.(".prose a[target=_blank]:not([data-new-tab])");
    if (link?.origin === location.origin) link.removeAttribute("target");
  },
  { capture: true },
);
