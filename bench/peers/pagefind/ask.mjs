// Searches a Pagefind index for titles, each like a reader who has just arrived: node ask.mjs SITE < TITLES.json For
// each title, prints the requests and bytes that the search would take from a static host, the milliseconds until five
// results with their texts, and the first address. Files are read from disk instead of a host.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const site = resolve(process.argv[2]);
let requests = 0, bytes = 0;
const sent = (path) => {
  const data = readFileSync(site + path);
  requests++;
  bytes += /\.(js|json)$/.test(path) ? gzipSync(data).length : data.length; // the others are already compressed
  return data;
};
// The browser APIs that the client uses.
globalThis.window = globalThis;
globalThis.document = { querySelector: () => ({ getAttribute: () => "en" }), currentScript: null };
globalThis.location = { href: "http://site.invalid/", origin: "http://site.invalid" };
globalThis.fetch = async (address) => new Response(sent(new URL(address, location.href).pathname));

const out = [];
for (const [i, title] of JSON.parse(readFileSync(0, "utf8")).entries()) {
  requests = bytes = 0;
  const begun = performance.now();
  sent("/pagefind/pagefind.js");
  const client = await import(pathToFileURL(site + "/pagefind/pagefind.js").href + "?" + i); // each search has its own state
  await client.options({ basePath: "/pagefind/", baseUrl: "/" });
  const { results } = await client.search(title);
  const first = await Promise.all(results.slice(0, 5).map((r) => r.data()));
  out.push({ requests, bytes, ms: performance.now() - begun, first: first[0]?.url ?? "" });
}
console.log(JSON.stringify(out));
