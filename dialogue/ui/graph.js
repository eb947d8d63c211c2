// A wish chosen by click, Enter or Space opens its details below the drawing; chosen again, it closes them.
const choose = (node) => {
  const chosen = node.getAttribute("aria-pressed") !== "true";
  for (const other of element.querySelectorAll(".node")) other.setAttribute("aria-pressed", "false");
  node.setAttribute("aria-pressed", String(chosen));
  for (const detail of element.querySelectorAll(".detail"))
    detail.hidden = !(chosen && detail.dataset.for === node.dataset.detail);
  element.querySelector(".choose").hidden = chosen;
};
element.addEventListener("click", (click) => {
  const node = click.target.closest(".node");
  if (node) choose(node);
});
element.addEventListener("keydown", (press) => {
  const node = press.target.closest(".node");
  if (!node || (press.key !== "Enter" && press.key !== " ")) return;
  press.preventDefault();
  choose(node);
});

// Whether there is more of the drawing to the side is said above it.
const measure = () => {
  const drawing = element.querySelector(".drawing"), hint = element.querySelector(".sideways");
  if (drawing && hint) hint.hidden = drawing.scrollWidth <= drawing.clientWidth;
};
new ResizeObserver(measure).observe(element);
new MutationObserver(measure).observe(element, { childList: true, subtree: true });
measure();
