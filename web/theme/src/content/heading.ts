// The icon next to a heading is a link to it. A click also copies the link.
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
