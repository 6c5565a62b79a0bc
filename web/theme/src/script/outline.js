// Marks in the outline the section that is being read.
(() => {
  const links = new Map();
  for (const a of document.querySelectorAll(".outline a")) {
    const heading = document.getElementById(decodeURIComponent(a.hash.slice(1)));
    if (heading) links.set(heading, a);
  }
  if (!links.size) return;
  const headings = [...links.keys()];
  let waiting = false;
  const mark = () => {
    waiting = false;
    const line = innerHeight / 4;
    let current = headings[0];
    for (const h of headings) if (h.getBoundingClientRect().top <= line) current = h;
    for (const [h, a] of links) {
      if (h === current) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, { passive: true });
  mark();
})();
