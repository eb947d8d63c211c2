// Who asks for no motion gets none: Gradio's own parts slide by script, which no style sheet can hold still. What they
// do at the end of a slide still comes.
const still = matchMedia("(prefers-reduced-motion: reduce)"), animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const asked = typeof timing === "number" ? { duration: timing } : { ...timing };
  if (!still.matches || asked.iterations === Infinity) return animate.call(this, frames, timing);
  return animate.call(this, frames, { ...asked, duration: Math.min(Number(asked.duration) || 0, 1), delay: 0 });
};
