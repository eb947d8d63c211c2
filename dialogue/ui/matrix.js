// A cell chosen by click, Enter or Space opens its quote; the arrow keys go from cell to cell, Escape closes the quote.
const cells = () => [...element.querySelectorAll("[data-cell]")];
const choose = (cell) => {
  const open = cell.getAttribute("aria-expanded") !== "true";
  for (const other of cells()) other.setAttribute("aria-expanded", String(open && other === cell));
  for (const detail of element.querySelectorAll(".detail")) detail.hidden = !(open && detail.dataset.for === cell.dataset.cell);
  element.querySelector(".choose").hidden = open;
};
const reach = (cell) => {
  for (const other of cells()) other.tabIndex = other === cell ? 0 : -1;
};
element.addEventListener("click", (click) => {
  const cell = click.target.closest("[data-cell]");
  if (!cell) return;
  reach(cell);
  choose(cell);
});
element.addEventListener("keydown", (press) => {
  const cell = press.target.closest("[data-cell]");
  if (!cell) return;
  if (press.key === "Escape" && cell.getAttribute("aria-expanded") === "true") choose(cell);
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[press.key];
  if (!step) return;
  press.preventDefault();
  const [row, column] = cell.dataset.cell.split("-").map(Number);
  const next = element.querySelector(`[data-cell="${row + step[0]}-${column + step[1]}"]`);
  if (!next) return;
  reach(next);
  next.focus();
});
