// A reply is read from its beginning: the message it answers goes to the top of the view and stays there while the reply
// grows, until the reader scrolls or touches the chat. On a narrow screen it is the page that scrolls.
let said = 0, held = null;
const FREE = 12; // pixels above it
const stops = (scroller) => scroller.scrollHeight > scroller.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(scroller).overflowY);
const hold = () => {
  const box = document.querySelector("#chat .bubble-wrap"), rows = document.querySelectorAll("#chat .user-row");
  if (!box) return;
  if (rows.length !== said) {
    const opened = said === 0 && rows.length > 1; // on a narrow screen a page that is opened begins at its head
    said = rows.length;
    held = said && !(opened && !stops(box)) ? rows[said - 1] : null;
  }
  if (!held?.isConnected) held = held && said ? rows[said - 1] : null;
  if (!held) return;
  const inside = stops(box), top = held.getBoundingClientRect().top;
  if (inside) box.scrollTop += top - box.getBoundingClientRect().top - FREE;
  else if (!wide()) window.scrollBy(0, top - FREE);
};
// Where the page scrolls, whatever is touched lets go; beside a chat that scrolls by itself, only what is touched in it.
const wide = () => matchMedia("(min-width: 1000px)").matches;
const letGo = (event) => { if (!wide() || !(event.target instanceof Element) || event.target.closest("#chat")) held = null; };
for (const kind of ["wheel", "touchmove", "pointerdown"]) window.addEventListener(kind, letGo, { capture: true, passive: true });
window.addEventListener("keydown", (press) => {
  const elsewhere = !wide() && press.target instanceof Element && !press.target.closest("#talk");
  if (elsewhere || ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"].includes(press.key)) letGo(press);
}, true);
let due = false;
new MutationObserver(() => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; hold(); });
}).observe(document, { childList: true, subtree: true, characterData: true });
