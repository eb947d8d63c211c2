// Runs before Gradio: its own labels come in the language of this page and not of the browser, and light or dark is
// what the visitor has chosen on the Settings tab, if anything.
const language = document.currentScript.dataset.language;
for (const [name, value] of [["language", language], ["languages", [language]]])
  Object.defineProperty(navigator, name, { get: () => value });
const asked = window.matchMedia.bind(window), deaf = () => {};
window.matchMedia = (query) => {
  const theme = localStorage.getItem("pdgf-theme");
  if (!theme || !/prefers-color-scheme:\s*dark/.test(query)) return asked(query);
  return { matches: theme === "dark", media: query, onchange: null, addEventListener: deaf, removeEventListener: deaf,
    addListener: deaf, removeListener: deaf, dispatchEvent: () => false };
};
if (localStorage.getItem("pdgf-theme")) document.documentElement.style.colorScheme = localStorage.getItem("pdgf-theme");
