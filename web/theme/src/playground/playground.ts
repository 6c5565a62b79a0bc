// @ts-nocheck
// “Try it” on pages about an operation opens a panel that sends its request. The page carries the plan of it.
import { all, find, onPage } from "../page/page";
import { parsePlain } from "./json";
import { Panel } from "./panel";

let panel = null;
onPage(() => {
  panel?.dialog.close();
  panel?.dialog.remove();
  panel = null;
  for (const button of all("button[data-try]")) button.hidden = !find("script[data-try-plan]");
});
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("button[data-try]")) return;
  const holder = find("script[data-try-plan]");
  if (!holder) return;
  panel ||= new Panel(parsePlain(holder.textContent));
  panel.open();
});
