// “Try it” on pages about an operation opens a panel that sends its request. The page contains its plan.
import { all, closest, find, onPage } from "../page/page";
import { parsePlain } from "./json";
import { Panel } from "./panel";
import type { Plan } from "./plan";

let panel: Panel | null = null;
onPage(() => {
  panel?.dialog.close();
  panel?.dialog.remove();
  panel = null;
  for (const button of all("button[data-try]")) button.hidden = !find("script[data-try-plan]");
});
document.addEventListener("click", (event) => {
  if (!closest(event, "button[data-try]")) return;
  const holder = find("script[data-try-plan]");
  if (!holder) return;
  panel ||= new Panel(parsePlain(holder.textContent) as Plan);
  panel.open();
});
