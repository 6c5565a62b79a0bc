// Answers queries: by the site's server where one says that it does, in one request, otherwise from the files of the index.
import { engineOf } from "./load";
import type { Answer, Options } from "./rank";

// A server that answers queries says so in a header of the page, which scripts read as a timing: the page itself is the same on every
// host. On others, and from a disk, there is none.
const HEADER = "lectern-search", ENDPOINT = "_lectern/api/search";
let refused = false; // the server failed once: this page does without it
let under: AbortController | null = null; // the request under way
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
export const prepare = (names: DOMStringMap) => { if (!served()) engineOf(names).catch(() => {}); }; // told when something is asked

// answerTo answers a query. options.stop ends one that nobody waits for any more.
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
