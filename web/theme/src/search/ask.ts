// Answers queries: with one request to the site's server if it supports that, otherwise from the files of the index.
import { engineOf } from "./load";
import type { Answer, Options } from "./rank";

// A server that answers queries says so in a Server-Timing header of the page, because the page itself is the same on every host.
// Other servers do not send it, and from disk there is none.
const HEADER = "lectern-search", ENDPOINT = "_lectern/api/search";
let refused = false; // the server failed once, so this page no longer uses it
let under: AbortController | null = null; // the current request
const served = () => !refused && (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.serverTiming
  ?.some((t) => t.name === HEADER) === true;

const request = async (text: string, { limit, language, version }: Options, root = "") => {
  under?.abort();
  under = new AbortController();
  const url = new URL(root + ENDPOINT, document.baseURI);
  for (const [name, value] of Object.entries({ q: text, limit, language, version })) if (value) url.searchParams.set(name, String(value));
  const response = await fetch(url, { signal: under.signal });
  if (!response.ok) throw new Error("search: status " + response.status);
  return await response.json() as Answer;
};

// prepare loads what the first query needs.
export const prepare = (names: DOMStringMap) => { if (!served()) engineOf(names).catch(() => {}); }; // the first query reports the error

// answerTo answers a query. options.stop reports whether the result is no longer needed.
export const answerTo = async (text: string, options: Options, names: DOMStringMap): Promise<Answer> => {
  if (served()) {
    try {
      return await request(text, options, names.root);
    } catch (error) {
      if (options.stop?.()) return { hits: [], more: false };
      console.warn(error);
      refused = true;
    }
  }
  return (await engineOf(names)).find(text, options);
};
