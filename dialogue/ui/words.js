// What Gradio says in English on every page is said in the words of this page: whole texts, and what it puts before the
// words of a message. What people and our own templates say is left alone.
const NAMES = ["aria-label", "title", "placeholder"];
const OURS = ".html-container, .html-container *", SAID = "#chat .message *";
const ours = (text) => {
  const whole = SPOKEN.texts[text.trim()];
  if (whole !== undefined) return whole;
  const lead = Object.keys(SPOKEN.leads).find((words) => text.startsWith(words));
  return lead === undefined ? text : SPOKEN.leads[lead] + text.slice(lead.length);
};
const rename = (part) => {
  if (part.matches(OURS)) return;
  for (const name of NAMES) {
    const text = part.getAttribute(name), said = text && ours(text);
    if (said && said !== text) part.setAttribute(name, said);
  }
};
const retell = (text) => {
  const said = SPOKEN.texts[text.data.trim()];
  if (said !== undefined && !text.parentElement?.matches(`${OURS}, ${SAID}`)) text.data = said;
};
const within = (node) => {
  if (node.nodeType === Node.TEXT_NODE) return retell(node);
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  const parts = document.createTreeWalker(node, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let at = parts.currentNode; at; at = parts.nextNode()) at.nodeType === Node.TEXT_NODE ? retell(at) : rename(at);
};
new MutationObserver((changes) => {
  for (const change of changes) {
    if (change.type === "attributes") rename(change.target);
    else if (change.type === "characterData") retell(change.target);
    else change.addedNodes.forEach(within);
  }
}).observe(document, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: NAMES });
within(document.documentElement);
