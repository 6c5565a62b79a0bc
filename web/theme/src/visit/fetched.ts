// A small cache of fetched pages, to show them without waiting. It keeps them only briefly, because the site may be
// published again.
import { direct, learn } from "./address";

const MOST = 12; // pages
const LARGEST = 2e6; // maximum characters of a cached page
const FRESH = 60e3; // milliseconds
// Fetched is the text of a page and its final URL, without a hash.
interface Fetched { text: string; url: URL }
const kept = new Map<string, { at: number; page: Promise<Fetched> }>(); // URL without its hash → page, oldest first

const load = async (address: string, priority: RequestPriority) => {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin", priority });
  const url = new URL(answer.url || address);
  // Errors and other types are left to the browser.
  if (!answer.ok || answer.redirected && !learn(new URL(address), url) || !/^text\/html\b/i.test(answer.headers.get("Content-Type") || "")) throw new Error("not a page of this site");
  const text = await answer.text();
  if (text.length > LARGEST || /\bno-store\b/i.test(answer.headers.get("Cache-Control") || "")) kept.delete(address);
  return { text, url };
};

// fetched returns a page. The promise fails for URLs that must be left to the browser.
export const fetched = (url: URL, priority: RequestPriority = "high") => {
  const { origin, pathname, search } = direct(url);
  const address = origin + pathname + search;
  let one = kept.get(address);
  if (one && Date.now() - one.at < FRESH) return one.page;
  one = { at: Date.now(), page: load(address, priority) };
  one.page.catch(() => { if (kept.get(address) === one) kept.delete(address); });
  kept.delete(address);
  kept.set(address, one);
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
  return one.page;
};
