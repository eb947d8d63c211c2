// What is wrong comes into sight where it stands: whoever has pressed a button above it may not see it otherwise.
new MutationObserver(() => element.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" })).observe(
  element,
  { childList: true, subtree: true },
);
