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
