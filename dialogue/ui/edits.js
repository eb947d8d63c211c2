// What changes the wishes by hand: a button with data-edit, or a form with it whose field gives the words. A button with
// data-what-if asks what would happen. Drawn anew, the part gives the focus back to where it was, or to what is near.
let left = null;
const send = (kind, data, from) => {
  left = { key: from.dataset.key, near: from.closest("[data-near]")?.dataset.near };
  trigger(kind, data);
};
// That an answer takes a while is said on the button, which comes anew with the answer; one that stands there does not.
const wait = (button) => {
  if (button.closest(".detail").querySelector(".what-if p")) return;
  const words = button.textContent;
  button.textContent = button.dataset.busy;
  setTimeout(() => { button.textContent = words; }, 10000);
};
element.addEventListener("click", (click) => {
  const button = click.target.closest("button[data-edit], button[data-what-if]");
  if (!button || button.type === "submit") return;
  if (button.dataset.edit) return send("submit", { edit: JSON.parse(button.dataset.edit) }, button);
  wait(button);
  send("select", { node: button.dataset.whatIf }, button);
});
element.addEventListener("submit", (submit) => {
  const form = submit.target.closest("form[data-edit]");
  if (!form) return;
  submit.preventDefault();
  send("submit", { edit: { ...JSON.parse(form.dataset.edit), words: form.elements.words.value } }, form);
});
new MutationObserver(() => {
  if (!left || (document.activeElement && document.activeElement !== document.body)) return;
  const found = [`[data-key="${left.key}"]`, `[data-node="${left.near}"]`, ".node.added", ".node", "button"]
    .map((place) => element.querySelector(place)).find((part) => part && part.getClientRects().length);
  if (found) found.focus();
}).observe(element, { childList: true, subtree: true });
