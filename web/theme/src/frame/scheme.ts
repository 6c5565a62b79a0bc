// Runs before the first paint. Applies the reader's colour scheme or the site's default, preloads fonts on a server, and hides a dismissed banner.
const root = document.documentElement;
const read = (key: string) => { try { return localStorage.getItem(key); } catch { return null; } }; // storage may be blocked
const dark = matchMedia("(prefers-color-scheme: dark)");
const fixed = "strict" in root.dataset;
const set = () => {
  let choice: string | null | undefined = fixed ? null : read("lectern-scheme");
  if (choice !== "light" && choice !== "dark") choice = root.dataset.appearance;
  root.dataset.scheme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light";
};
// Sets the scheme as a class and a style too, for authors' rules and scripts. They follow later changes of the attribute before the next
// paint.
const follow = () => {
  const scheme = root.dataset.scheme === "dark" ? "dark" : "light";
  root.classList.toggle("dark", scheme === "dark");
  root.style.colorScheme = scheme;
};
set();
follow();
new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["data-scheme"] });
dark.addEventListener("change", set);
// Another tab changed it. If the key is null, the storage was cleared.
addEventListener("storage", (event) => { if (event.key === "lectern-scheme" || event.key === null) set(); });

// Late fonts are not swapped in, so that text never moves. From disk, fonts load almost immediately, but browsers do not permit preloading.
// So the page is shown when its fonts are loaded, because text waiting for a font has the size of another one.
const fonts = document.currentScript?.dataset.fonts;
if (location.protocol === "file:") {
  for (const face of document.fonts) face.display = "block";
  root.dataset.waiting = "";
  const limit = new Promise((resolve) => setTimeout(resolve, 1000));
  const settle = () => {
    void document.body.offsetHeight; // layout starts the requests for the fonts
    Promise.race([document.fonts.ready, limit]).then(() => { delete root.dataset.waiting; });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", settle);
  else settle(); // the page for unknown URLs loads this script late
} else if (fonts) {
  for (const href of fonts.split(" ")) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href });
    document.head.append(link);
  }
}

const banner = root.dataset.notice; // not data-banner, which authors' rules use for the banner itself
if (banner && read("lectern-banner") === banner) root.dataset.bannerOff = "";

export {};
