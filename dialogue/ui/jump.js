// The ways between the chat and what the tabs hold. A narrow screen shows one below the other: a tab that is chosen
// brings its part into sight, and the bar at the bottom shows which of the two is being looked at.
const wide = () => matchMedia("(min-width: 1000px)").matches;
const parts = () => document.getElementById("results"), talk = () => document.getElementById("talk");
const jumps = {
  "#tabs [role=tab]": () => { if (!wide()) parts().scrollIntoView(); },
  "#jump a": () => {
    const said = [...document.querySelectorAll("#chat .user-row")].at(-1);
    (said ?? talk()).scrollIntoView();
    talk().tabIndex = -1;
    talk().focus({ preventScroll: true });
  },
  ".to-picks": () => {
    const tab = document.querySelector("#tabs [role=tab]");
    tab.click();
    tab.focus({ preventScroll: true });
    if (!wide()) parts().scrollIntoView();
  },
};
window.addEventListener("click", (click) => {
  if (!click.isTrusted || !(click.target instanceof Element)) return;
  for (const [place, jump] of Object.entries(jumps)) {
    const link = click.target.closest(place);
    if (!link) continue;
    if (link.matches("a")) click.preventDefault();
    jump();
  }
});
const tell = () => {
  if (parts()) document.body.classList.toggle("at-results", parts().getBoundingClientRect().top < innerHeight / 2);
};
window.addEventListener("scroll", tell, { passive: true });
const measured = () => new ResizeObserver(tell).observe(document.body);
if (document.body) measured();
else window.addEventListener("DOMContentLoaded", measured);
