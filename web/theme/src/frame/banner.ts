// The banner's button puts it away for good: as long as its text, which its id stands for, stays the same.
import { all, closest, find, onPage, root } from "../page/page";

onPage(() => {
  for (const button of all("[data-banner] [data-dismiss]")) button.hidden = false;
});
addEventListener("click", (event) => {
  const banner = closest(event, "[data-dismiss]")?.closest<HTMLElement>("body [data-banner]");
  if (!banner) return;
  try { localStorage.setItem("lectern-banner", banner.dataset.banner ?? ""); } catch { /* it comes back on the next page */ }
  root.dataset.bannerOff = "";
  find("main")?.focus({ preventScroll: true });
});
