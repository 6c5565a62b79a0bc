// @ts-nocheck
// Long blocks of code that unfold, and groups of code with a menu in place of tabs.
import { all, find, onPage } from "../page/page";

onPage(() => {
  for (const button of all(".code-more")) {
    if (button.unfolds) continue;
    button.unfolds = true;
    const pre = find("pre", button.parentElement);
    const open = (on) => button.setAttribute("aria-expanded", String(on));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-expanded") === "false";
      open(on);
      if (!on) button.parentElement.scrollIntoView({ block: "nearest" });
    });
    // Something inside got the focus by keys or by a search in the page: nobody should read behind the fold.
    pre.addEventListener("scroll", () => { if (pre.scrollTop > 0 && button.getAttribute("aria-expanded") === "false") open(true); });
  }

  for (const select of all(".codegroup-select")) {
    if (!select.hidden) continue;
    const tabs = all(':scope > [role="tablist"] > [role="tab"]', select.closest("lectern-tabs"));
    const chosen = () => tabs.find((t) => t.getAttribute("aria-selected") === "true");
    const show = () => { const t = chosen(); if (t) select.value = t.getAttribute("aria-controls"); };
    select.addEventListener("change", () => tabs.find((t) => t.getAttribute("aria-controls") === select.value)?.click());
    for (const t of tabs) new MutationObserver(show).observe(t, { attributes: true, attributeFilter: ["aria-selected"] });
    show();
    select.hidden = false;
  }
});
