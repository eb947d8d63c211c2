// Two or three picks that are ticked can be compared: a button asks for it, which is there once one is ticked.
const ticked = () => [...element.querySelectorAll(".tick:checked")];
const tell = () => {
  const bar = element.querySelector(".comparing"), chosen = ticked();
  if (!bar) return;
  bar.hidden = chosen.length < 1;
  bar.querySelector("button").disabled = chosen.length < 2;
  const told = bar.querySelector(".chosen"), titles = chosen.map((tick) => tick.value).join(told.dataset.comma);
  const counted = told.dataset.chosen.replace("{count}", chosen.length).replace("{titles}", () => titles);
  told.textContent = chosen.length < 2 ? told.dataset.hint : counted;
  for (const tick of element.querySelectorAll(".tick")) tick.disabled = chosen.length === 3 && !tick.checked;
};
element.addEventListener("change", (change) => { if (change.target.matches(".tick")) tell(); });
element.addEventListener("click", (click) => {
  const button = click.target.closest("[data-compare]");
  if (!button || button.disabled) return;
  const titles = ticked().map((tick) => tick.value);
  const listed = [titles.slice(0, -1).join(button.dataset.comma), titles.at(-1)].join(button.dataset.and);
  trigger("click", { say: button.dataset.compare.replace("{titles}", () => listed) });
  for (const tick of ticked()) tick.checked = false;
  tell();
});
