// Scrolls the sidebar to the current page, without scrolling the page.
import { find, onPage } from "../page/page";

onPage(() => {
  const bar = find(".sidebar");
  const current = bar && find('[aria-current="page"]', bar);
  if (!current || !bar.clientHeight) return;
  const box = current.getBoundingClientRect();
  const frame = bar.getBoundingClientRect();
  if (box.top < frame.top + 40 || box.bottom > frame.bottom - 60) bar.scrollTop += box.top - frame.top - bar.clientHeight / 2;
});
