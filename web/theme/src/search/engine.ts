// Search, last part: loading the index. Its files are scripts that call lecternIndex(name, value), so that they also load from disk.
import { lexicon } from "./lexicon";
import type { Shard } from "./match";
import { search } from "./rank";
import type { Answer, Hit, Options } from "./rank";
import { parseShard, unpack } from "./unpack";
import type { Index } from "./unpack";

const waiting = new Map<string, Promise<unknown>>(); // by address
let arrived: [string, unknown] | undefined;
globalThis.lecternIndex = (name: string, value: unknown) => { arrived = [name, value]; };

// Loads a script element. The result is the value that the script passes to lecternIndex.
const load = (url: string) => {
  if (!waiting.has(url)) {
    waiting.set(url, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const fail = () => {
        script.remove();
        waiting.delete(url); // the next query tries again
        reject(new Error("The search index cannot be loaded."));
      };
      script.addEventListener("load", () => {
        script.remove();
        if (!arrived) return fail();
        resolve(arrived[1]);
        arrived = undefined;
      });
      script.addEventListener("error", fail);
      script.src = url;
      document.head.append(script);
    }));
  }
  return waiting.get(url)!;
};

// Engine is an open index. get(file) resolves to the content of a file, reopen to the current index entry.
export class Engine {
  readonly lexicon = lexicon;
  private shards = new Map<string, Shard>();
  constructor(private x: Index, private get: (file: string) => Promise<unknown>, private reopen: () => Promise<Index>) {}

  async search(text: string, options: Options = {}): Promise<Hit[]> { return (await this.find(text, options)).hits; }

  async find(text: string, options: Options = {}): Promise<Answer> {
    try {
      return await this.ask(text, options);
    } catch {
      this.x = await this.reopen(); // the site may have been published again, which removes the old shards
      this.shards = new Map();
      return this.ask(text, options);
    }
  }

  private async ask(text: string, options: Options) {
    const { x, shards } = this; // a concurrent query that fails may replace them
    const steps = search(x, String(text), options);
    let step = steps.next();
    while (!step.done) {
      const names = step.value;
      if (options.stop?.()) return { hits: [], more: false };
      await Promise.all(names.filter((n) => !shards.has(n)).map(async (n) => shards.set(n, parseShard(n, await this.get(x.file(n))))));
      step = steps.next(names.map((n) => shards.get(n)!));
    }
    return step.value;
  }
}

// open opens an index. base is the URL of index.js or of its folder.
export const open = async (base: string) => {
  const folder = base.replace(/[^/]*$/, "");
  const entry = async () => {
    waiting.delete(folder + "index.js");
    return unpack(await load(folder + "index.js"));
  };
  return new Engine(await entry(), (file: string) => load(folder + file), entry);
};
