// In a table that sets items side by side, the rows in which they differ are marked: how they stand to a wish, without
// the quotes that show it, or a fact.
const QUOTE = /[\u201c\u300c\u300a]/;
const differs = ([, ...cells]) => {
  const texts = cells.map((cell) => cell.textContent.trim());
  const marks = texts.some((text) => QUOTE.test(text)) ? texts.map((text) => text.split(/[\s:\uff1a(\uff08\u201c\u300c]/)[0]) : texts;
  return new Set(marks).size > 1;
};
const mark = () => {
  for (const row of document.querySelectorAll("#chat .bot table tbody tr")) {
    const is = row.cells.length > 2 && differs([...row.cells]);
    if (row.classList.contains("differs") === is) continue;
    row.classList.toggle("differs", is);
    row.title = is ? SPOKEN.differs : "";
  }
};
let due = false;
new MutationObserver(() => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; mark(); });
}).observe(document, { childList: true, subtree: true, characterData: true });
