// URLs of pages on hosts that strip extensions. Pages of a bundle link to x.html, which works on every host and from disk. A host
// that strips extensions redirects x.html to x. Once that is known, pages are fetched from x, which saves the redirect.
import { find } from "../page/page";

const stripped = (path: string) => path.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "");

// A URL without an extension shows that the host strips them, except on the page for unknown URLs, which can have any
// URL.
let strips = !/(\/|\.html?)$/.test(location.pathname) && !find(".shell-single");

// direct returns the URL that responds without a redirect, as far as known.
export const direct = (url: URL) => {
  const to = new URL(url);
  if (strips) to.pathname = stripped(to.pathname);
  return to;
};

// learn reports whether a redirect only stripped an extension. Other redirects are left to the browser, because scripts cannot see the
// anchor of their target.
export const learn = (from: URL, to: URL) => {
  const same = from.origin === to.origin && from.search === to.search && stripped(from.pathname) === to.pathname;
  if (same && !to.pathname.endsWith("/")) strips = true; // many hosts strip index.html and nothing else
  return same;
};
