// How long a message is that has become long, and that it is too long; only the latter is said aloud.
const FROM = 0.1; // of the limit
const tell = () => {
  const line = element.querySelector(".count"), voice = element.querySelector("[role=status]");
  const limit = Number(line.dataset.limit), count = Array.from(document.querySelector("#message textarea")?.value ?? "").length;
  const over = count > limit, words = over ? line.dataset.over : line.dataset.counted;
  line.hidden = count < limit * FROM;
  line.classList.toggle("over", over);
  const [counted, most] = [count, limit].map((number) => number.toLocaleString(document.documentElement.lang || undefined));
  line.textContent = words.replace("{count}", counted).replace("{limit}", most);
  if (over !== Boolean(voice.textContent)) voice.textContent = over ? line.textContent : "";
};
window.addEventListener("input", (typed) => { if (typed.target.matches?.("#message textarea")) tell(); });
// What empties the box without typing changes its height.
const measured = new ResizeObserver(tell), looking = new MutationObserver(() => find());
const find = () => {
  const box = document.querySelector("#message textarea");
  if (!box) return;
  looking.disconnect();
  measured.observe(box);
};
looking.observe(document, { childList: true, subtree: true });
find();
