// Marks in the outline the section that is being read.
(() => {
  const links = new Map();
  for (const a of document.querySelectorAll(".outline a")) {
    const heading = document.getElementById(decodeURIComponent(a.hash.slice(1)));
    if (heading) links.set(heading, a);
  }
  if (!links.size) return;
  const headings = [...links.keys()];
  const outline = document.querySelector(".outline");
  let waiting = false;
  let marked = null;
  const mark = () => {
    waiting = false;
    const line = innerHeight / 4;
    let current = headings[0];
    for (const h of headings) if (h.getBoundingClientRect().top <= line) current = h;
    // The last sections may be too short to reach the line.
    if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2) current = headings[headings.length - 1];
    if (current === marked) return;
    if (marked) links.get(marked).removeAttribute("aria-current");
    marked = current;
    const a = links.get(current);
    a.setAttribute("aria-current", "true");
    const top = a.offsetTop - outline.scrollTop;
    if (top < 40 || top > outline.clientHeight - 80) outline.scrollTop = a.offsetTop - outline.clientHeight / 2;
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, { passive: true });
  mark();
})();
