// Enlarges images that were scaled down to fit the page to the window's size, by click or keyboard.
import { all, closest, drawing, make, onPage, still, word } from "../page/page";

const CANDIDATES = "article.content img:not([nozoom], [data-nozoom], .card-img)";
let dialog: HTMLDialogElement | null = null;
// The width of the original image in pixels: for a narrower copy, the browser reports a smaller one.
const copied = (img: HTMLImageElement) => img.srcset.includes("/_lectern/image/") || img.srcset.startsWith("_lectern/image/");
const pixels = (img: HTMLImageElement) => copied(img) ? Number(/ (\d+)w$/.exec(img.srcset)?.[1]) : img.naturalWidth;
const fits = (img: HTMLImageElement) => !img.closest("a, button, summary, [data-nozoom], .icon, .card, lectern-island") && img.clientWidth > 60
  && (pixels(img) > img.clientWidth * 1.1 || /\.svg(?:[?#]|$)/i.test(img.currentSrc) && img.clientWidth > 240);
const offer = (img: HTMLImageElement) => {
  const on = fits(img);
  if (on === "zoom" in img.dataset) return;
  if (on) {
    img.tabIndex = 0;
    img.dataset.zoom = "";
    img.setAttribute("role", "button");
    if (!img.alt) img.setAttribute("aria-label", word("Open"));
  } else {
    for (const name of ["tabindex", "role", "data-zoom"]) img.removeAttribute(name);
    if (!img.alt) img.removeAttribute("aria-label");
  }
};
const sizes = new ResizeObserver((entries) => { for (const e of entries) offer(e.target as HTMLImageElement); });
onPage(() => {
  sizes.disconnect();
  for (const img of all<HTMLImageElement>(CANDIDATES)) sizes.observe(img);
  dialog?.close();
});

// An image with reserved space does not change its size when it is loaded. Load events do not bubble, so capture them.
document.addEventListener("load", (event) => { if (event.target instanceof HTMLImageElement && event.target.matches(CANDIDATES)) offer(event.target); }, true);

const close = () => dialog?.close();
const open = (img: HTMLImageElement) => {
  const shut = make("button", { type: "button", className: "zoom-close", "aria-label": word("Close") }, drawing("M6 6l12 12M18 6 6 18"));
  const large = make("img", { src: copied(img) ? img.src : img.currentSrc, alt: img.alt });
  dialog = make("dialog", { className: "zoom", tabIndex: -1, "aria-label": img.alt || word("Open"), onclick: close }, large, shut);
  dialog.addEventListener("close", () => { dialog?.remove(); dialog = null; });
  document.body.append(still(dialog));
  dialog.showModal();
  dialog.focus(); // not the button, because the key that opened it is still pressed
};
const zoomable = (event: Event) => closest<HTMLImageElement>(event, "img[data-zoom]");
addEventListener("click", (event) => {
  const img = zoomable(event);
  if (img && !event.defaultPrevented && !event.button && !event.ctrlKey && !event.metaKey) open(img);
});
addEventListener("keydown", (event) => {
  const img = zoomable(event);
  if (!img || event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  open(img);
});
