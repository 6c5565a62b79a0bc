// Long blocks of code that unfold, and groups of code with a menu in place of tabs.
(() => {
  for (const button of document.querySelectorAll(".code-more")) {
    const pre = button.parentElement.querySelector("pre");
    const open = (on) => button.setAttribute("aria-expanded", String(on));
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-expanded") === "false";
      open(on);
      if (!on) button.parentElement.scrollIntoView({ block: "nearest" });
    });
    // Something inside got the focus by keys or by a search in the page: nobody should read behind the fold.
    pre.addEventListener("scroll", () => { if (pre.scrollTop > 0 && button.getAttribute("aria-expanded") === "false") open(true); });
  }

  for (const select of document.querySelectorAll(".codegroup-select")) {
    const group = select.closest("lectern-tabs");
    const tabs = [...group.querySelectorAll(':scope > [role="tablist"] > [role="tab"]')];
    const chosen = () => tabs.find((t) => t.getAttribute("aria-selected") === "true");
    const show = () => { const t = chosen(); if (t) select.value = t.getAttribute("aria-controls"); };
    select.addEventListener("change", () => tabs.find((t) => t.getAttribute("aria-controls") === select.value)?.click());
    for (const t of tabs) new MutationObserver(show).observe(t, { attributes: true, attributeFilter: ["aria-selected"] });
    show();
    select.hidden = false;
  }
})();
