// Addresses of pages on hosts that strip endings. Pages of a bundle link to x.html, which works on every host and from a disk. A host
// that strips endings redirects from there to x; once that is known, pages are fetched from x, which saves the redirect.
import { find } from "../page/page";

const stripped = (path: string) => path.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "");

// A page at an address without an ending tells at once. The page for missing addresses is shown at any.
let strips = !/(\/|\.html?)$/.test(location.pathname) && !find(".shell-single");

// direct is the address that answers without a redirect, as far as that is known.
export const direct = (url: URL) => {
  const to = new URL(url);
  if (strips) to.pathname = stripped(to.pathname);
  return to;
};

// learn reports whether a redirect only stripped an ending. Others are left to the browser: a script does not see the part of the page
// that they lead to.
export const learn = (from: URL, to: URL) => {
  const same = from.origin === to.origin && from.search === to.search && stripped(from.pathname) === to.pathname;
  if (same && !to.pathname.endsWith("/")) strips = true; // many hosts strip index.html and nothing else
  return same;
};
