// A wish chosen by click, Enter or Space opens its form below the drawing, and the focus goes there; chosen again, or by
// Escape, it closes, and the focus comes back. What is open stays open when the graph is drawn anew.
let chosen = null;
const part = (place) => element.querySelector(place);
const show = () => {
  for (const other of element.querySelectorAll(".node")) other.setAttribute("aria-pressed", String(other.dataset.node === chosen));
  const node = part('.node[aria-pressed="true"]');
  if (!node) chosen = null;
  for (const detail of element.querySelectorAll(".detail")) detail.hidden = detail.dataset.for !== node?.dataset.detail;
  const hint = part(".choose");
  if (hint) hint.hidden = Boolean(node);
  part(".details")?.classList.toggle("open", Boolean(node));
  measure();
  if (node) uncover(node);
};
// The drawing is lower while a form is open: what is chosen moves to its middle.
const uncover = (node) => {
  const drawing = part(".drawing"), at = node.getBoundingClientRect(), frame = drawing.getBoundingClientRect();
  if (at.top < frame.top || at.bottom > frame.bottom) drawing.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2;
  if (at.left < frame.left || at.right > frame.right) drawing.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2;
};
// Drawing and form both come onto the screen: the form as far as the drawing stays.
const bring = () => {
  const column = document.getElementById("results"), inColumn = column && getComputedStyle(column).overflowY === "auto";
  const tabs = column?.querySelector(".tab-wrapper")?.getBoundingClientRect();
  const top = (inColumn ? tabs?.bottom ?? 0 : 0) + 8, bottom = innerHeight - 12;
  const above = part(".drawing").getBoundingClientRect().top - top, below = part(".details").getBoundingClientRect().bottom - bottom;
  const by = above < 0 ? above : Math.min(above, Math.max(below, 0));
  if (by) (inColumn ? column : window).scrollBy({ top: by, behavior: "instant" });
};
const choose = (node) => {
  chosen = chosen === node.dataset.node ? null : node.dataset.node;
  show();
  if (!chosen) return;
  bring();
  part(".detail:not([hidden]) h3").focus({ preventScroll: true });
};
const close = () => {
  const node = part('.node[aria-pressed="true"]');
  chosen = null;
  show();
  node?.focus();
};
element.addEventListener("click", (click) => {
  const node = click.target.closest(".node");
  if (node) choose(node);
  else if (click.target.closest("[data-close]")) close();
});
element.addEventListener("keydown", (press) => {
  if (press.key === "Escape" && chosen) return close();
  const node = press.target.closest(".node");
  if (!node || (press.key !== "Enter" && press.key !== " ")) return;
  press.preventDefault();
  choose(node);
});

// What an edit has changed, or would, is said to screen readers: in a place that stays while all else is drawn anew.
const voice = document.createElement("p");
voice.className = "aside";
voice.setAttribute("role", "status");
element.after(voice);
const speak = () => {
  const told = part("[data-told]")?.textContent ?? "";
  if (voice.textContent !== told) voice.textContent = told;
};

// Whether there is more of the drawing, and where, is said above it and seen at its edges.
const measure = () => {
  const drawing = part(".drawing");
  if (!drawing) return;
  const { scrollLeft: left, scrollTop: top, scrollWidth, scrollHeight, clientWidth: wide, clientHeight: high } = drawing;
  const more = { left: left > 1, right: left + wide < scrollWidth - 1, top: top > 1, bottom: top + high < scrollHeight - 1 };
  for (const [side, is] of Object.entries(more)) drawing.classList.toggle(`more-${side}`, is);
  part(".sideways").hidden = scrollWidth <= wide + 1;
  part(".further").hidden = scrollHeight <= high + 1;
};
element.addEventListener("scroll", measure, { capture: true, passive: true });
new ResizeObserver(measure).observe(element);
// What is drawn like what was there stays and only gets its attributes anew: so it is marked, and loses the mark then.
const drawn = () => {
  const top = part("section");
  if (top && !top.dataset.drawn) top.dataset.drawn = "true";
  show(); measure(); speak();
};
new MutationObserver(drawn).observe(element, { childList: true, subtree: true, attributeFilter: ["data-drawn"] });
measure();
speak();
