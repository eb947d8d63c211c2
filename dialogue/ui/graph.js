// A wish chosen by click, Enter or Space opens its form below the drawing; chosen again, or by Escape, it closes. By key
// the focus goes into the form and comes back. What is open stays open when the graph is drawn anew.
let chosen = null;
const show = () => {
  for (const other of element.querySelectorAll(".node")) other.setAttribute("aria-pressed", String(other.dataset.node === chosen));
  const node = element.querySelector('.node[aria-pressed="true"]');
  if (!node) chosen = null;
  for (const detail of element.querySelectorAll(".detail")) detail.hidden = detail.dataset.for !== node?.dataset.detail;
  const hint = element.querySelector(".choose");
  if (hint) hint.hidden = Boolean(node);
  element.querySelector(".details")?.classList.toggle("open", Boolean(node));
};
// The form sticks to the bottom of the screen: what is chosen moves out from behind it.
const uncover = (node) => {
  const behind = node.getBoundingClientRect().bottom + 16 - element.querySelector(".details").getBoundingClientRect().top;
  const column = document.getElementById("results");
  if (behind > 0) (column && column.scrollHeight > column.clientHeight ? column : window).scrollBy(0, behind);
};
const choose = (node, byKey) => {
  chosen = chosen === node.dataset.node ? null : node.dataset.node;
  show();
  if (!chosen) return;
  uncover(node);
  if (byKey) element.querySelector(".detail:not([hidden]) h3").focus({ preventScroll: true });
};
const close = () => {
  const node = element.querySelector('.node[aria-pressed="true"]');
  chosen = null;
  show();
  node?.focus();
};
element.addEventListener("click", (click) => {
  const node = click.target.closest(".node");
  if (node) choose(node, false);
  else if (click.target.closest("[data-close]")) close();
});
element.addEventListener("keydown", (press) => {
  if (press.key === "Escape" && chosen) return close();
  const node = press.target.closest(".node");
  if (!node || (press.key !== "Enter" && press.key !== " ")) return;
  press.preventDefault();
  choose(node, true);
});

// Whether there is more of the drawing to the side is said above it.
const measure = () => {
  const drawing = element.querySelector(".drawing"), hint = element.querySelector(".sideways");
  if (drawing && hint) hint.hidden = drawing.scrollWidth <= drawing.clientWidth;
};
new ResizeObserver(measure).observe(element);
new MutationObserver(() => { show(); measure(); }).observe(element, { childList: true, subtree: true });
measure();
