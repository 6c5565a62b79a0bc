// Pages that were fetched, to be shown without waiting. Few and for a short time: a page may be published anew.
const MOST = 12; // pages
const LARGEST = 2e6; // characters of one page that are worth keeping
const FRESH = 60e3; // milliseconds
const kept = new Map<string, { at: number; text: Promise<string> }>(); // address without its hash → { at, text: Promise }, the oldest first

const load = async (address: string, priority: RequestPriority) => {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin", priority });
  // Of a redirect the browser knows better where it ends, and errors have pages of their own.
  if (!answer.ok || answer.redirected || !/^text\/html\b/i.test(answer.headers.get("Content-Type") || "")) throw new Error("not a page of this site");
  const text = await answer.text();
  if (text.length > LARGEST || /\bno-store\b/i.test(answer.headers.get("Cache-Control") || "")) kept.delete(address);
  return text;
};

// The text of a page: a promise that fails where only the browser itself can go.
export const fetched = (url: URL, priority: RequestPriority = "high") => {
  const address = url.origin + url.pathname + url.search;
  let page = kept.get(address);
  if (page && Date.now() - page.at < FRESH) return page.text;
  page = { at: Date.now(), text: load(address, priority) };
  page.text.catch(() => { if (kept.get(address) === page) kept.delete(address); });
  kept.delete(address);
  kept.set(address, page);
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
  return page.text;
};
