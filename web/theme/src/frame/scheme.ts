// Runs before the first paint: the reader's own choice of colours, else the site's default; the typefaces, if a server has them; and whether the banner was put away.
const root = document.documentElement;
const read = (key: string) => { try { return localStorage.getItem(key); } catch { return null; } }; // storage may be closed to us
const dark = matchMedia("(prefers-color-scheme: dark)");
const fixed = "strict" in root.dataset;
const set = () => {
  let choice: string | null | undefined = fixed ? null : read("lectern-scheme");
  if (choice !== "light" && choice !== "dark") choice = root.dataset.appearance;
  root.dataset.scheme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light";
};
// The same as a class and a style, for rules and scripts of authors. Whatever changes the attribute later, they follow before the next paint.
const follow = () => {
  const scheme = root.dataset.scheme === "dark" ? "dark" : "light";
  root.classList.toggle("dark", scheme === "dark");
  root.style.colorScheme = scheme;
};
set();
follow();
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-scheme"] });
dark.addEventListener("change", set);
// Another tab changed it. A key of null means that all was cleared.
addEventListener("storage", (event) => { if (event.key === "lectern-scheme" || event.key === null) set(); });

// A late typeface is not swapped in, so that text never moves. On a disk none is late by more than a moment, and browsers do not let us ask
// for it early: the page is shown when its typefaces are there, because text that waits for one has the size of another.
const fonts = document.currentScript?.dataset.fonts;
if (location.protocol === "file:") {
  for (const face of document.fonts) face.display = "block";
  root.dataset.waiting = "";
  const limit = new Promise((resolve) => setTimeout(resolve, 1000));
  const settle = () => {
    void document.body.offsetHeight; // laying the page out starts the requests for its typefaces
    Promise.race([document.fonts.ready, limit]).then(() => { delete root.dataset.waiting; });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", settle);
  else settle(); // the page for missing addresses gets this script late
} else if (fonts) {
  for (const href of fonts.split(" ")) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href });
    document.head.append(link);
  }
}

const banner = root.dataset.notice; // not data-banner: rules of authors mean the banner with that
if (banner && read("lectern-banner") === banner) root.dataset.bannerOff = "";

export {};
