// What stands in the message box outlives a reload of its tab, the page's own after a lost connection included.
const kept = `draft ${location.pathname}`, box = () => document.querySelector("#message textarea");
window.addEventListener("pagehide", () => {
  if (box()?.value.trim()) sessionStorage.setItem(kept, box().value);
});
const put = () => {
  const draft = sessionStorage.getItem(kept);
  if (!draft || !box()) return !draft;
  sessionStorage.removeItem(kept);
  if (box().value) return true;
  box().value = draft;
  box().dispatchEvent(new Event("input", { bubbles: true }));
  return true;
};
const looking = new MutationObserver(() => { if (put()) looking.disconnect(); });
if (!put()) looking.observe(document, { childList: true, subtree: true });
