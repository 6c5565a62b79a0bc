// A table that is wider than its column scrolls in its container. The container then gets a name and can be scrolled by
// keyboard.
import { all, onPage } from "../page/page";

const name = (box: HTMLElement) => {
  const titles = all("caption, thead th", box).map((cell) => cell.textContent.trim()).filter(Boolean);
  return "Table" + (titles.length ? ": " + titles.slice(0, 6).join(", ") : "");
};
const mark = () => {
  for (const box of all("article.content .table-scroll")) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", name(box));
    } else for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
  }
};
let timer: number | undefined;
addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(mark, 200); });
onPage(mark);
