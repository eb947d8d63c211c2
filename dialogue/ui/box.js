// The message box: a question about a pick begins in it at once, and what is written after a message has been sent stays
// there when that message is taken out of it.
const box = () => document.querySelector("#message textarea");
const HELD = 30000; // milliseconds in which a message that was sent is taken out of the box
const TWICE = 1000; // milliseconds in which the same words again are a key or a button that was pressed twice
let sent = "", until = 0, pressed = 0, written = null, begun = "";
const put = (words) => {
  box().value = words;
  box().dispatchEvent(new Event("input", { bubbles: true }));
};
const native = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value"), minded = new WeakSet();
const mind = (field) => {
  if (!field || minded.has(field)) return;
  minded.add(field);
  Object.defineProperty(field, "value", {
    configurable: true,
    get: () => native.get.call(field),
    set: (words) => {
      native.set.call(field, words);
      if (words || !written || Date.now() > until) return;
      written = written.startsWith(sent) ? written.slice(sent.length).trimStart() : written;
      queueMicrotask(() => { if (written) put(written); });
    },
  });
};
const send = (press) => {
  if (sent && written === null && box()?.value === sent && Date.now() < pressed + TWICE) {
    press.preventDefault();
    press.stopImmediatePropagation();
    return;
  }
  pressed = Date.now();
  sent = box()?.value ?? "";
  written = null;
  until = pressed + HELD;
  mind(box());
};
window.addEventListener("keydown", (press) => {
  if (press.target === box() && press.key === "Enter" && !press.shiftKey && !press.isComposing) send(press);
  else pressed = 0;
}, true);
window.addEventListener("click", (click) => {
  const button = click.target instanceof Element && click.target.closest("button");
  if (button?.id === "send") send(click);
  else pressed = 0;
  if (!button?.dataset.ask || !box()) return;
  const waiting = Date.now() < until && written === null && box().value === sent ? "" : box().value;
  const rest = begun && waiting.startsWith(begun) ? waiting.slice(begun.length) : waiting;
  begun = button.dataset.ask;
  put(begun + rest);
  written = box().value;
  box().focus();
  box().setSelectionRange(box().value.length, box().value.length);
}, true);
window.addEventListener("input", (typed) => {
  if (typed.isTrusted && typed.target === box()) written = box().value;
}, true);
// A page that is opened is ready to be written in. A narrow one begins at its head: the focus would scroll it down.
const ready = new MutationObserver(() => {
  if (!box()) return;
  ready.disconnect();
  const free = document.activeElement === document.body || !document.activeElement;
  if (free && matchMedia("(min-width: 1000px)").matches) box().focus({ preventScroll: true });
});
ready.observe(document, { childList: true, subtree: true });
