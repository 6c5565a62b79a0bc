// JSON as a collapsible tree. Everything is text: content from an API never becomes markup of the page.
import { make } from "../page/page";
import { Digits, quoteJSON } from "./json";
import type { Value } from "./json";

const VIEW_MAX = 4000; // maximum number of values; larger documents are shown as plain text

const countValues = (v: Value) => {
  let n = 0;
  const stack: Value[] = [v];
  while (stack.length && n <= VIEW_MAX) {
    const x = stack.pop()!;
    n++;
    if (Array.isArray(x)) stack.push(...x.slice(0, VIEW_MAX));
    else if (x instanceof Map) stack.push(...[...x.values()].slice(0, VIEW_MAX));
  }
  return n;
};

export const span = (className: string, text: string) => make("span", { className }, text);

const jsonLine = (key: string | null, v: Value, last: boolean): HTMLElement => {
  const name = key === null ? [] : [span("v", quoteJSON(key)), ": "];
  const comma = last ? "" : ",";
  if (Array.isArray(v) || v instanceof Map) {
    const [open, shut] = Array.isArray(v) ? "[]" : "{}";
    const parts = Array.isArray(v) ? v.map((item): [string | null, Value] => [null, item]) : [...v] as [string | null, Value][];
    if (!parts.length) return make("div", { className: "try-json-line" }, ...name, open + shut + comma);
    return make("details", { className: "try-json", open: true },
      make("summary", {}, ...name, open, make("span", { className: "try-json-more" }, ` ${parts.length} ${shut}`)),
      make("div", { className: "try-json-parts" }, ...parts.map(([k, item], i) => jsonLine(k, item, i === parts.length - 1))),
      make("div", {}, shut + comma));
  }
  const text = typeof v === "string" ? span("s", quoteJSON(v)) : span(v instanceof Digits ? "n" : "b", String(v));
  return make("div", { className: "try-json-line" }, ...name, text, comma);
};

// jsonView returns the tree, or null if there are too many values.
export const jsonView = (value: Value) => countValues(value) > VIEW_MAX ? null : make("div", { className: "try-tree code", tabIndex: 0, role: "group", "aria-label": "Body" }, jsonLine(null, value, true));
