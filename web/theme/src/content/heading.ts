// The sign beside a heading is a link to it: one that is clicked also goes to the clipboard.
import { copyText } from "../page/clipboard";
import { closest, word } from "../page/page";
import { say } from "../page/say";

addEventListener("click", async (event) => {
  const anchor = closest<HTMLAnchorElement>(event, "article.content a.anchor");
  if (!anchor || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!await copyText(anchor.href)) return;
  say(word("Link copied"));
  anchor.dataset.state = "done";
  setTimeout(() => delete anchor.dataset.state, 1600);
});
