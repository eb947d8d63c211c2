// The list of conversations. It is asked for anew whenever it is opened, stays open while the server changes it, and
// closes on Escape, on a click elsewhere and once a conversation has been opened.
const list = () => element.querySelector("details.chats");
let open = false;
element.addEventListener("toggle", (event) => {
  if (event.target !== list() || event.target.open === open) return;
  open = event.target.open;
  if (open) trigger("select", { list: "anew" });
}, true);
let focused = null;  // what of the list has the focus, so that it can have it again when the server has drawn it anew
document.addEventListener("focusin", ({ target }) => {
  const summary = list()?.querySelector("summary");
  focused = !element.contains(target) ? null : target === summary ? "summary" : `[data-say="${target.dataset.say ?? ""}"]`;
});
const close = (focus) => {
  if (!list()?.open) return;  // the word of its opening may still be on its way
  list().open = open = false;
  if (focus) list().querySelector("summary").focus();
};
element.addEventListener("click", (click) => {
  const button = click.target.closest("button[data-say]");
  if (button && element.contains(button)) trigger("click", { say: button.dataset.say });
});
element.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  trigger("click", { say: `name ${form.dataset.rename}`, text: form.elements.title.value });
});
element.addEventListener("keydown", (press) => {
  if (press.key !== "Escape") return;
  press.stopPropagation();
  const form = press.target.closest("form");
  if (form) form.querySelector("button[data-say]").click();
  else close(true);
});
document.addEventListener("click", (click) => { if (!element.contains(click.target) && click.target.isConnected) close(false); });
// When a conversation was last spoken in, by the clock of whoever looks: "today 14:05", "yesterday 9:30", or the day.
const midnight = (day) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
const tell = (words, now = new Date()) => {
  const language = words.language === "en" ? "en-GB" : words.language;
  for (const part of list().querySelectorAll("time")) {
    const at = new Date(part.dateTime), days = Math.round((midnight(now) - midnight(at)) / 86400000);
    const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
    const time = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const day = at.toLocaleDateString(language, { day: "numeric", month: "long", year });
    part.textContent = ([words.today, words.yesterday][days] ?? day).replace("{time}", time);
  }
};
new MutationObserver(() => {
  const now = list();
  if (!now || now.dataset.shown) return;
  now.dataset.shown = "true";
  tell(now.dataset);
  if ("close" in now.dataset) open = false;
  now.open = open;
  const lost = focused && document.activeElement === document.body && now.querySelector(focused);
  const wanted = open && (now.querySelector("[data-focus]") ?? lost);
  if (wanted) { wanted.focus(); wanted.select?.(); }
}).observe(element, { childList: true, subtree: true, attributeFilter: ["data-shown"] });  // which a list like the last one loses
