// Expands long blocks of code.
import { all, find, onPage } from "../page/page";

const unfolds = new WeakSet<Element>(); // buttons that already have handlers

onPage(() => {
  for (const button of all(".code-more")) {
    const block = button.parentElement, pre = block && find("pre", block);
    if (!pre || unfolds.has(button)) continue;
    unfolds.add(button);
    const open = (on: boolean) => button.setAttribute("aria-expanded", String(on));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-expanded") === "false";
      open(on);
      if (!on) block.scrollIntoView({ block: "nearest" });
    });
    // Focus by keyboard or a search in the page has scrolled the block: expand it, so that this part is visible.
    pre.addEventListener("scroll", () => { if (pre.scrollTop > 0 && button.getAttribute("aria-expanded") === "false") open(true); });
  }
});
