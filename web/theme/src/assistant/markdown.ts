// Splits Markdown into blocks, and converts a block to an element. An answer that is being streamed is parsed again after each piece.
// Splitting it first makes it possible to keep the elements of unchanged blocks.
import { inline } from "./inline";
import type { Places } from "./inline";
import { copyText } from "../page/clipboard";
import { make, word } from "../page/page";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:\s+(.*)|\s*)$/;
const QUOTE = /^ {0,3}> ?/;
const BAR = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const DEEPEST = 5;
const table = (lines: string[], i: number) => lines[i].includes("|") && i + 1 < lines.length && lines[i + 1].includes("-") && lines[i + 1].includes("|") && BAR.test(lines[i + 1].trim());
const begins = (lines: string[], i: number) => FENCE.test(lines[i]) || HEADING.test(lines[i]) || RULE.test(lines[i]) || QUOTE.test(lines[i]) || ITEM.test(lines[i]) || table(lines, i);

const fenceEnd = (lines: string[], i: number) => {
  const mark = FENCE.exec(lines[i])![1];
  for (let end = i + 1; end < lines.length; end++) {
    const line = lines[end].trim();
    if (line.length >= mark.length && line.split(mark[0]).join("") === "") return end + 1;
  }
  return lines.length; // the rest has not arrived yet
};
const listEnd = (lines: string[], i: number) => {
  let end = i + 1;
  for (; end < lines.length; end++) {
    const line = lines[end];
    if (line.trim() === "" ? !/^(?: {2,}|\t)\S/.test(lines[end + 1] || "") && !ITEM.test(lines[end + 1] || "") : !/^(?: {2,}|\t)/.test(line) && !ITEM.test(line) && begins(lines, end)) break;
  }
  return end;
};
const endOf = (lines: string[], i: number) => {
  let end = i + 1;
  if (FENCE.test(lines[i])) return fenceEnd(lines, i);
  if (HEADING.test(lines[i]) || RULE.test(lines[i])) return end;
  if (QUOTE.test(lines[i])) { while (end < lines.length && QUOTE.test(lines[end])) end++; return end; }
  if (table(lines, i)) { while (end < lines.length && lines[end].trim() && lines[end].includes("|")) end++; return end; }
  if (ITEM.test(lines[i])) return listEnd(lines, i);
  while (end < lines.length && lines[end].trim() && !begins(lines, end)) end++;
  return end;
};
export const blocks = (text: string) => {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n");
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    if (!lines[i].trim()) { i++; continue; }
    const end = endOf(lines, i);
    out.push(lines.slice(i, end).join("\n"));
    i = end;
  }
  return out;
};

const codeBlock = (lines: string[]) => {
  const language = FENCE.exec(lines[0])![2].trim().split(/[\s{]/)[0].slice(0, 30);
  const closed = lines.length > 1 && /^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1)!);
  const text = lines.slice(1, closed ? -1 : undefined).join("\n");
  const copy = make("button", { type: "button", className: "ask-copy", textContent: word("Copy") });
  copy.addEventListener("click", async () => {
    copy.textContent = word(await copyText(text) ? "Copied" : "Could not copy");
    setTimeout(() => { copy.textContent = word("Copy"); }, 1600);
  });
  return make("figure", { className: "ask-code" }, make("figcaption", {}, make("span", {}, language || "text"), copy),
    make("pre", { tabIndex: 0, "aria-label": language || "code" }, make("code", {}, text)));
};
const cells = (line: string) => line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "").split(/(?<!\\)\|/).slice(0, 30).map((c) => c.trim().replaceAll("\\|", "|"));
const tableBlock = (lines: string[], places: Places) => {
  const head = cells(lines[0]);
  const row = (tag: "th" | "td", list: string[]) => make("tr", {}, ...head.map((_, i) => make(tag, tag === "th" ? { scope: "col" } : {}, ...inline(list[i] || "", places))));
  return make("div", { className: "ask-table", tabIndex: 0, role: "region", "aria-label": "Table" }, make("table", {}, make("thead", {}, row("th", head)), make("tbody", {}, ...lines.slice(2).map((l) => row("td", cells(l))))));
};
const listBlock = (lines: string[], places: Places, depth: number) => {
  const items: { indent: number; mark: string; lines: string[] }[] = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && (!items.length || found[1].length < items[0].indent + 2)) items.push({ indent: items[0]?.indent ?? found[1].length, mark: found[2], lines: [found[3] || ""] });
    else items.at(-1)!.lines.push(line);
  }
  const ordered = /\d/.test(items[0].mark);
  const list = ordered ? make("ol", { start: parseInt(items[0].mark, 10) }) : make("ul");
  for (const item of items) {
    const least = Math.min(...item.lines.slice(1).filter((l) => l.trim()).map((l) => /^ */.exec(l)![0].length), 8);
    const inner = [item.lines[0], ...item.lines.slice(1).map((l) => l.slice(Math.min(least, /^ */.exec(l)![0].length)))];
    const parts: Node[] = blocks(inner.join("\n")).map((b) => block(b, places, depth + 1));
    if (parts[0] instanceof HTMLParagraphElement) parts.splice(0, 1, ...parts[0].childNodes); // as text of the item
    list.append(make("li", {}, ...parts));
  }
  return list;
};
// block creates the element of one block.
export const block = (text: string, places: Places, depth = 0): HTMLElement => {
  const lines = text.split("\n");
  const heading = HEADING.exec(lines[0]);
  if (FENCE.test(lines[0])) return codeBlock(lines);
  if (heading) return make(heading[1].length < 3 ? "h3" : "h4", {}, ...inline(heading[2].replace(/\s#+\s*$/, ""), places));
  if (RULE.test(lines[0])) return make("hr");
  if (depth > DEEPEST) return make("p", {}, text);
  if (QUOTE.test(lines[0])) return make("blockquote", {}, ...blocks(lines.map((l) => l.replace(QUOTE, "")).join("\n")).map((b) => block(b, places, depth + 1)));
  if (table(lines, 0)) return tableBlock(lines, places);
  if (ITEM.test(lines[0])) return listBlock(lines, places, depth);
  return make("p", {}, ...inline(lines.map((l) => l.trimStart()).join("\n"), places));
};
