// Buttons made on the server: data-say speaks for the visitor, data-ask begins a question in the message box.
element.addEventListener("click", (click) => {
  const button = click.target.closest("button[data-say], button[data-ask]");
  if (!button || !element.contains(button)) return;
  if (button.dataset.say) trigger("click", { say: button.dataset.say });
  else trigger("select", { ask: button.dataset.ask });
});
