// Reads a feed with rss-parser and prints the result as JSON.
import { readFileSync } from "node:fs";
import Parser from "rss-parser";

const found = await new Parser().parseString(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify({
  problem: "",
  version: "",
  link: found.link,
  self: [found.feedUrl],
  items: found.items.map((item) => ({
    title: item.title,
    link: item.link,
    guid: item.guid,
    permanent: item.guid === item.link,
    date: item.isoDate ? item.isoDate.slice(0, 10).split("-").map(Number) : null,
    summary: item.content,
    content: item["content:encoded"] ?? "",
    tags: item.categories ?? [],
  })),
}));
