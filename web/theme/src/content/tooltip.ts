// Tooltips: kept inside the window even if their container clips; Escape closes them.
import { closest, find } from "../page/page";

const EDGE = 8; // distance to the window's edges, in pixels
let shown: HTMLElement | null = null;
const place = () => {
  if (!shown?.isConnected) { shown = null; return; }
  const bubble = find(".tooltip-bubble", shown);
  const word = find(".tooltip-word", shown)?.getClientRects()[0];
  if (!bubble || !word) return;
  Object.assign(bubble.style, { position: "fixed", inset: "auto", left: "0", top: "0" });
  const box = bubble.getBoundingClientRect(); // at 0,0 unless an ancestor is transformed
  const above = word.top - box.height - 6;
  const left = Math.max(EDGE, Math.min(word.left + word.width / 2 - box.width / 2, document.documentElement.clientWidth - box.width - EDGE));
  bubble.style.left = left - box.left + "px";
  bubble.style.top = (above >= EDGE ? above : word.bottom + 6) - box.top + "px";
};
const show = (e: Event) => {
  const tip = closest(e, ".tooltip");
  if (!tip || tip === shown) return;
  shown = tip;
  delete tip.dataset.away;
  place();
};
const leave = (e: PointerEvent | FocusEvent) => {
  if (!shown || (e.relatedTarget instanceof Node && shown.contains(e.relatedTarget)) || !shown.contains(e.target as Node)) return;
  delete shown.dataset.away;
  shown = null;
};
addEventListener("pointerover", show);
addEventListener("focusin", show);
addEventListener("pointerout", leave);
addEventListener("focusout", leave);
addEventListener("keydown", (e) => { if (e.key === "Escape" && shown) shown.dataset.away = ""; });
addEventListener("scroll", () => { if (shown) place(); }, { passive: true, capture: true });
