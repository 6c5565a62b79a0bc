// Views: parts of the page of which the reader selects one kind, such as a language. The choice is kept on other pages.
import { all, find, named, onPage } from "../page/page";

onPage(() => {
  const KEY = "lectern-view";
  const content = find("article.content");
  if (content && "views" in content.dataset) return;
  const views = content ? all(".view[data-view]", content) : [];
  const titles = [...new Set(views.map((v) => v.dataset.view ?? ""))];
  if (!content || titles.length === 0) return;

  const bar = document.createElement("div");
  bar.className = "view-bar multi-view-dropdown";
  named("multi-view-dropdown", bar);
  bar.dataset.platform = "";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "View");
  const buttons = titles.map((title) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "multi-view-dropdown-item";
    const icon = views.find((v) => v.dataset.view === title)?.querySelector(".view-title .icon");
    if (icon) button.append(icon.cloneNode(true));
    button.append(title);
    button.addEventListener("click", () => {
      const top = bar.getBoundingClientRect().top;
      show(title);
      try { localStorage.setItem(KEY, title); } catch { /* kept only on this page */ }
      const moved = bar.getBoundingClientRect().top - top;
      if (moved) scrollBy({ top: moved, behavior: "instant" });
    });
    bar.append(button);
    return button;
  });

  function show(title: string) {
    for (const view of views) {
      if (view.dataset.view === title) view.removeAttribute("hidden");
      else view.setAttribute("hidden", "until-found");
    }
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(titles[i] === title)));
  }
  function targetOf(hash: string) {
    try { return document.getElementById(decodeURIComponent(hash.slice(1))); } catch { return null; }
  }
  const reveal = () => {
    const target = location.hash && targetOf(location.hash);
    const view = target && target.closest<HTMLElement>(".view[data-view]");
    if (view && view.hasAttribute("hidden")) { show(view.dataset.view ?? ""); target.scrollIntoView(); }
  };

  let first = titles[0];
  try { const known = localStorage.getItem(KEY); if (known !== null && titles.includes(known)) first = known; } catch { /* use the first one */ }
  for (const view of views) view.addEventListener("beforematch", () => show(view.dataset.view ?? ""));
  if (titles.length > 1) views[0].before(bar);
  show(first);
  content.dataset.views = "";
  const gone = () => !content.isConnected && removeEventListener("hashchange", reveal);
  addEventListener("hashchange", reveal);
  document.addEventListener("lectern:page", gone, { once: true });
  reveal();
});
