// Light, dark, or as the system has it; kept in this browser. What Gradio shows follows the class of the body.
const chosen = () => localStorage.getItem("pdgf-theme") ?? "system";
const show = () => {
  for (const button of element.querySelectorAll("[data-theme]"))
    button.setAttribute("aria-pressed", String(button.dataset.theme === chosen()));
};
element.addEventListener("click", (click) => {
  const button = click.target.closest("[data-theme]");
  if (!button) return;
  if (button.dataset.theme === "system") localStorage.removeItem("pdgf-theme");
  else localStorage.setItem("pdgf-theme", button.dataset.theme);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.body.classList.toggle("dark", dark);
  document.documentElement.style.colorScheme = chosen() === "system" ? "" : chosen();
  show();
});
new MutationObserver(show).observe(element, { childList: true, subtree: true });
show();
