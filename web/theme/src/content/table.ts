// A table that is wider than its place scrolls: then keys can scroll it too.
import { all, onPage } from "../page/page";

const mark = () => {
  for (const table of all("article.content table")) {
    const wide = table.scrollWidth > table.clientWidth + 1;
    if (wide) table.tabIndex = 0;
    else table.removeAttribute("tabindex");
  }
};
let timer: number | undefined;
addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(mark, 200); });
onPage(mark);
