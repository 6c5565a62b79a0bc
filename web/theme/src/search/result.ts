// The list of results: pages, each with its matching sections, as options of a listbox.
import { all, drawing, make } from "../page/page";
import type { Hit } from "./rank";
import type { Piece } from "./snippet";

const PAGE = "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6";
const SECTION = "M9.5 4l-2 16M16.500 4l-2 16M4.500 9h15.500M4 15h15.500";
const PAST = "M12 7.500V12l3 2M4 12a8 8 0 1 0 2.500-5.800L4 8.500M4 4v4.500h4.500";
const marked = (parts: Piece[] | undefined) => (parts || []).map(([text, hit]) => hit ? make("mark", {}, text) : text);
// Titles have no match ranges, so mark words of the query at the start of a word.
const emphasised = (title: string, text: string) => {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean).slice(0, 12).sort((a, b) => b.length - a.length);
  if (!words.length) return [title];
  const split = title.split(new RegExp("((?<![\\p{L}\\p{N}])(?:" + words.join("|") + "))", "iu"));
  return split.map((part, i) => i % 2 ? make("mark", {}, part) : part).filter((part) => part !== "");
};

// place returns the URL of a result.
const place = (hit: Hit, { root: site = "", suffix = "" }) => {
  const path = hit.path.replace(/^\/+/, "");
  const page = path === "" || path === "index" ? (suffix ? "index" + suffix : "") : path.split("/").map(encodeURIComponent).join("/") + suffix;
  return new URL((site + page || "./") + (hit.anchor ? "#" + encodeURIComponent(hit.anchor) : ""), document.baseURI).href;
};

export const option = (props: Parameters<typeof make<"a">>[1], icon: string, ...children: (Node | string)[]) => make("a", { ...props, role: "option", tabIndex: -1 },
  drawing(icon, "search-icon"), make("span", { className: "search-text" }, ...children), drawing("M19 6v6a2 2 0 0 1-2 2H6M10 10l-4 4 4 4", "search-go"));
const crumbs = (hit: Hit) => hit.crumbs?.length ? [make("span", { className: "search-crumbs" }, hit.crumbs.join(" › "))] : [];
const snippet = (hit: Hit) => hit.snippet?.length ? [make("span", { className: "search-snippet" }, ...marked(hit.snippet))] : [];

const row = (hit: Hit, text: string, data: DOMStringMap) => {
  const href = place(hit, data);
  const dataset = { target: "/" + hit.path.replace(/^\/+|(^|\/)index$/g, "") };
  const title = make("span", { className: "search-title" }, ...emphasised(hit.anchor && hit.heading || hit.title, text));
  if (hit.anchor) return option({ className: "search-section", href, dataset }, SECTION, title, ...snippet(hit));
  return option({ className: "search-page", href, dataset }, PAGE, ...crumbs(hit), title, ...snippet(hit));
};

// groups groups hits by page, in the order of the best hit of each page.
export const groups = (hits: Hit[], text: string, data: DOMStringMap) => {
  const pages = new Map<string, Hit[]>();
  for (const hit of hits) pages.set(hit.path, [...(pages.get(hit.path) || []), hit]);
  return [...pages.values()].map((list, i) => {
    list.sort((a, b) => Number(Boolean(a.anchor)) - Number(Boolean(b.anchor)));
    const first = list[0];
    // If the page itself is not a result, its name is shown above its sections; otherwise only screen readers get the
    // group's name.
    const seen = first.anchor ? [...crumbs(first), make("span", { className: "search-title" }, first.title)] : [first.title];
    const name = make("div", { id: "search-group-" + i, className: first.anchor ? "search-group" : "said" }, ...seen);
    return make("div", { role: "group", "aria-labelledby": name.id }, name, ...list.map((hit) => row(hit, text, data)));
  });
};
// more returns the row that loads more results.
export const more = (text: string) => option({ className: "search-query", dataset: { more: "" } }, PAGE, text);
// queries returns rows for recent searches.
export const queries = (texts: string[]) => texts.map((text) => option({ className: "search-query", dataset: { query: text } }, PAST, text));

const SUGGESTED = 6;
// pages returns rows for the first pages in the sidebar that are on this site, without the current page and deprecated pages, whose
// title is not directly in the link. They are in the reader's language and version.
export const pages = (root = "") => all<HTMLAnchorElement>(".sidebar-tree li:not(.more, .closed) > a:not([aria-current])").map((a) =>
  [a.href, [...a.childNodes].map((n) => n instanceof Text ? n.data : "").join("").trim()])
  .filter(([href, title]) => title && href.startsWith(new URL(root || "./", document.baseURI).href)).slice(0, SUGGESTED)
  .map(([href, title]) => option({ className: "search-query", href }, PAGE, title));
