// Loads the search engine and the site's index when they are first wanted, by script elements: those work from a disk too.
import { make } from "../page/page";
import type { Engine } from "./engine";

let opened: Promise<Engine> | null = null;
const script = (src: string) => new Promise<Event>((resolve, reject) => {
  document.head.append(make("script", { src, async: true, onload: resolve, onerror: () => reject(new Error("could not load " + src)) }));
});
// Where a page names the engine and the index.
interface Names { engine?: string; index?: string }
const open = async (names: Names) => {
  const [engine, index] = [names.engine, names.index].map((a) => new URL(a ?? "", document.baseURI).href);
  if (!window.lecternSearch) {
    // The index is on its way while the engine is: one round trip less. From a disk nothing is fetched ahead.
    if (location.protocol !== "file:") document.head.append(make("link", { rel: "preload", as: "script", href: index }));
    await script(engine);
  }
  return window.lecternSearch!.open(index);
};
export const engineOf = (names: Names) => opened ??= open(names).catch((error) => { opened = null; throw error; });
