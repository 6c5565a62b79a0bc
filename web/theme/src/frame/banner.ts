// The banner's button dismisses it permanently: until its text changes, and with it its id.
import { all, closest, find, onPage, root } from "../page/page";

onPage(() => {
  for (const button of all("[data-banner] [data-dismiss]")) button.hidden = false;
});
addEventListener("click", (event) => {
  const banner = closest(event, "[data-dismiss]")?.closest<HTMLElement>("body [data-banner]");
  if (!banner) return;
  try { localStorage.setItem("lectern-banner", banner.dataset.banner ?? ""); } catch { /* it is shown again on the next page */ }
  root.dataset.bannerOff = "";
  find("main")?.focus({ preventScroll: true });
});
