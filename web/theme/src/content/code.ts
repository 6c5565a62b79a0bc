// Long blocks of code that unfold.
import { all, find, onPage } from "../page/page";

const unfolds = new WeakSet<Element>(); // buttons that have their handlers

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
    // Something inside got the focus by keys or by a search in the page: nobody should read behind the fold.
    pre.addEventListener("scroll", () => { if (pre.scrollTop > 0 && button.getAttribute("aria-expanded") === "false") open(true); });
  }
});
