// Buttons made on the server: data-say speaks for the visitor, data-ask begins a question in the message box (box.js).
element.addEventListener("click", (click) => {
  const button = click.target.closest("button[data-say]");
  if (button && element.contains(button)) trigger("click", { say: button.dataset.say });
});
