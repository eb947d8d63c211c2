// What the keyboard does on the page where Gradio's own parts fall short.

// Shift+Enter is a line break, and Enter that picks a word of an input method sends nothing: Gradio would send both.
for (const kind of ["keydown", "keypress"])
  window.addEventListener(kind, (press) => {
    const inBox = press.target instanceof Element && press.target.matches("#message textarea");
    if (inBox && press.key === "Enter" && (press.shiftKey || press.isComposing)) press.stopImmediatePropagation();
  }, true);

// Gradio names each radio button by itself; with one name they are a group: one Tab stop, arrows move the choice.
const group = () => {
  const domain = document.getElementById("domain");
  if (!domain) return;
  domain.setAttribute("role", "radiogroup");
  domain.setAttribute("aria-label", domain.querySelector("[data-testid='block-info']")?.textContent.trim() ?? "");
  for (const choice of domain.querySelectorAll("input[type='radio']")) if (choice.name !== "domain") choice.name = "domain";
};
new MutationObserver(group).observe(document, { childList: true, subtree: true });

// A message that is being changed: its signs are written as entities to be harmless in the chat, here they are signs
// again. Enter sends it, Shift+Enter is a line break, Escape leaves it as it was.
const own = () => {
  for (const box of document.querySelectorAll("#chat textarea.edit-textarea:not([data-own])")) {
    box.dataset.own = "";
    const words = box.value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
    if (words === box.value) continue;
    box.value = words;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
};
new MutationObserver(own).observe(document, { childList: true, subtree: true });
window.addEventListener("keydown", (press) => {
  const box = press.target instanceof Element && press.target.closest("#chat textarea.edit-textarea");
  const pressed = press.key === "Escape" ? 1 : press.key === "Enter" && !press.shiftKey && !press.isComposing ? 0 : null;
  if (!box || pressed === null) return;
  press.preventDefault();
  press.stopImmediatePropagation();
  const row = box.closest(".message-row");
  const buttons = (row?.querySelector(".message-buttons") ?? row?.nextElementSibling)?.querySelectorAll("button");
  buttons?.[pressed]?.click();
}, true);
