// Loads the search engine and the site's index when first needed, with script elements, which also work from disk.
import { make } from "../page/page";
import type { Engine } from "./engine";

let opened: Promise<Engine> | null = null;
const script = (src: string) => new Promise<Event>((resolve, reject) => {
  document.head.append(make("script", { src, async: true, onload: resolve, onerror: () => reject(new Error("could not load " + src)) }));
});
// Attributes of a page with the URLs of the engine and the index.
interface Names { engine?: string; index?: string }
const open = async (names: Names) => {
  const [engine, index] = [names.engine, names.index].map((a) => new URL(a ?? "", document.baseURI).href);
  if (!window.lecternSearch) {
    // Load the index in parallel with the engine, which saves a round trip. From disk, nothing is preloaded.
    if (location.protocol !== "file:") document.head.append(make("link", { rel: "preload", as: "script", href: index }));
    await script(engine);
  }
  return window.lecternSearch!.open(index);
};
export const engineOf = (names: Names) => opened ??= open(names).catch((error) => { opened = null; throw error; });
