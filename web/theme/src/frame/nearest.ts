// Adds links to the pages with the most similar URLs to the page for unknown URLs. The build appends a call with the site's pages to this
// script.
type Listed = [href: string, title: string];

const SHOWN = 5;
const LEAST = 0.45; // minimum similarity, from 0 to 1
const LONGEST = 300; // maximum characters of a URL that are compared, because links may have URLs of any length

const clean = (path: string) => {
  let text = path.slice(0, LONGEST);
  try { text = decodeURIComponent(text); } catch { /* use it unchanged */ }
  return text.toLowerCase().replace(/\.(html?|mdx?)$/, "").replace(/\/index$/, "").replace(/^\/+|\/+$/g, "");
};

// pairs counts the pairs of adjacent letters in a text.
const pairs = (text: string) => {
  const out = new Map<string, number>();
  const padded = ` ${text} `;
  for (let i = 0; i + 1 < padded.length; i++) out.set(padded.slice(i, i + 2), (out.get(padded.slice(i, i + 2)) ?? 0) + 1);
  return out;
};

// alike returns the share of letter pairs that two texts have in common, from 0 to 1.
const alike = (a: string, b: string) => {
  const [x, y] = [pairs(a), pairs(b)];
  let common = 0;
  for (const [pair, n] of x) common += Math.min(n, y.get(pair) ?? 0);
  return 2 * common / (a.length + b.length + 2);
};

// score gives the last element of a path the same weight as the whole path.
export const score = (asked: string, page: string) => {
  const name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  return (alike(asked, page) + alike(name(asked), name(page))) / 2;
};

export const nearestOf = (asked: string, pages: Listed[], base = "", wanted = clean(asked)) => pages
  .map(([href, title]) => ({ href, title, like: score(wanted, clean(href.slice(href.startsWith(base) ? base.length : 0))) }))
  .filter((page) => page.like >= LEAST)
  .sort((a, b) => b.like - a.like)
  .slice(0, SHOWN);

const show = (pages: Listed[]) => {
  const place = document.querySelector<HTMLElement>("[data-nearest]");
  const from = place?.dataset.nearest ?? ""; // the root for URLs of pages
  const base = document.querySelector("base") ? new URL(document.baseURI).pathname.replace(/[^/]*$/, "") : from;
  const path = location.pathname;
  const found = nearestOf(base.startsWith("/") && path.startsWith(base) ? path.slice(base.length) : path, pages, from);
  if (!place || !found.length) return;
  place.querySelector("ul")!.replaceChildren(...found.map(({ href, title }) => {
    const item = document.createElement("li"), link = document.createElement("a"), at = document.createElement("small");
    link.href = href;
    link.className = "not-found-recommended-page-link";
    link.textContent = title;
    at.textContent = "/" + clean(href);
    link.append(at);
    item.append(link);
    return item;
  }));
  place.hidden = false;
};
Object.assign(window, { lecternNearest: show });
