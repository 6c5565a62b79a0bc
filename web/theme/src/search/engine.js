// Search, last part: getting the index. Its files are scripts that call lecternIndex(name, value), so that they load from a disk too.
(() => {
  const S = lecternSearch;
  const waiting = new Map(); // by address
  let arrived;
  self.lecternIndex = (name, value) => { arrived = [name, value]; };

  // Adds a script element; the value that the script hands over is the answer.
  const load = (url) => {
    if (!waiting.has(url)) {
      waiting.set(url, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        const fail = () => {
          script.remove();
          waiting.delete(url); // the next question tries again
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
    return waiting.get(url);
  };

  const starts = (counts) => {
    const d = new S.Numbers(counts), out = [0];
    for (let at = 0; d.more();) out.push(at += d.next());
    return out;
  };
  // The entry, unpacked.
  const unpack = (e) => {
    if (e.format !== 2) throw new Error("The search index is of another version.");
    const x = { chunks: e.chunks, pages: starts(e.pages), docs: starts(e.docs), facets: e.facets || [], facet: [], boosts: new Map() };
    x.first = e.sums ? e.first.split(" ") : [];
    const b = new S.Numbers(e.boosts);
    for (let page = -1; b.more();) x.boosts.set(page += b.next(), b.next());
    const r = new S.Numbers(e.runs);
    while (r.more()) {
      const n = r.next(), facet = r.next();
      for (let i = 0; i < n; i++) x.facet.push(facet);
    }
    const sum = (list, i, size) => list.slice(size * i, size * i + size);
    // The file of a shard: t0, d0 and so on, or words. Those of text are named by their digest alone.
    x.file = (name) => {
      const i = +name.slice(1);
      if (name === "words") return "words." + e.words + ".js";
      return name[0] === "t" ? name + "." + sum(e.sums, i, 8) + ".js" : "d." + sum(e.docSums, i, 12) + ".js";
    };
    return x;
  };
  const parse = (name, value) => (name === "words" ? S.readWords(value) : name[0] === "t" ? S.readTerms(value) : value);

  // An index that is open. get(file) gives a promise of what a file holds, reopen one of the entry as it is now.
  class Engine {
    constructor(x, get, reopen) {
      Object.assign(this, { x, get, reopen });
      this.shards = new Map();
    }

    async search(text, options = {}) {
      try {
        return await this.ask(text, options);
      } catch {
        this.x = await this.reopen(); // the site may have been published anew: then old shards are gone
        this.shards = new Map();
        return this.ask(text, options);
      }
    }

    async ask(text, options) {
      const { x, shards } = this; // a question that fails meanwhile may replace them
      const steps = S.run(x, String(text), options);
      let step = steps.next();
      while (!step.done) {
        const names = step.value;
        await Promise.all(names.filter((n) => !shards.has(n)).map(async (n) => shards.set(n, parse(n, await this.get(x.file(n))))));
        step = steps.next(names.map((n) => shards.get(n)));
      }
      return step.value;
    }
  }

  // open takes the address of index.js, or of the folder it is in.
  S.open = async (base) => {
    const folder = base.replace(/[^/]*$/, "");
    const entry = async () => {
      waiting.delete(folder + "index.js");
      return unpack(await load(folder + "index.js"));
    };
    return new Engine(await entry(), (file) => load(folder + file), entry);
  };
  Object.assign(S, { unpack, parseShard: parse });
})();
