// A page that was left open may not be let in any more: the login has run out, or there was none when it was opened.
// Then it says so, with the way to the login; what stands in the message box is kept (draft.js).
const ask = window.fetch.bind(window);
const tell = () => {
  if (document.getElementById("shut") || !document.body) return;
  const told = document.createElement("div"), words = document.createElement("p"), way = document.createElement("a");
  told.id = "shut";
  told.setAttribute("role", "alert");
  (document.querySelector(".gradio-container") ?? document.body).append(told);
  words.textContent = SPOKEN.login.needed;
  way.textContent = SPOKEN.login.enter;
  way.href = SPOKEN.login.way;
  told.append(words, way);
};
window.fetch = async (...request) => {
  const answer = await ask(...request);
  if (answer.status === 401 && answer.type === "basic") tell(); // "basic" is an answer of this origin
  return answer;
};
