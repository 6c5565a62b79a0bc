// How languages write texts and values. This and the other sample files generate the same samples as the build.
import { Digits, writeJSON } from "./json";
import type { Value } from "./json";

export interface SampleHeader { name: string; value: string }
export interface SampleField { name: string; value: string; file?: boolean }
export interface SampleBody { kind: "none" | "json" | "text" | "form" | "multipart" | "file"; type: string; value?: Value; text: string; fields: SampleField[] }
export interface SampleRequest { method: string; url: string; headers: SampleHeader[]; body: SampleBody }

// Words holds a language's constants, the punctuation of its maps, and its quotes.
export interface Words { yes: string; no: string; none: string; map: [string, string]; colon: string; quote: (text: string) => string }

const quotedWith = (special: string) => (text: string) => {
  let out = '"';
  for (const c of text) {
    const code = c.codePointAt(0)!;
    if (c === "\n") out += "\\n";
    else if (c === "\r") out += "\\r";
    else if (c === "\t") out += "\\t";
    else if (code < 0x20 || code === 0x7f) out += " ";
    else out += special.includes(c) ? "\\" + c : c;
  }
  return out + '"';
};
export const double = quotedWith('"\\');
export const dollar = quotedWith('"\\$'); // for languages that interpret $ inside quotes
export const shell = (text: string) => "'" + text.replaceAll("'", "'\\''") + "'";
export const single = (text: string) => "'" + text.replace(/[\\']/g, "\\$&") + "'"; // PHP, Ruby
export const powerQuote = (text: string) => "'" + text.replaceAll("'", "''") + "'";

// literal writes a value as source.
export const literal = (words: Words, v: Value | undefined, indent: string, step: string): string => {
  if (v === null || v === undefined) return words.none;
  if (typeof v === "boolean") return v ? words.yes : words.no;
  if (v instanceof Digits) return v.text;
  if (typeof v === "string") return words.quote(v);
  if (indent.length > 200 || !Array.isArray(v) && !(v instanceof Map)) return words.none;
  const inner = indent + step;
  const [open, shut] = Array.isArray(v) ? ["[", "]"] : words.map;
  const parts = Array.isArray(v) ? v.map((item) => literal(words, item, inner, step))
    : [...v].map(([key, item]) => words.quote(key) + words.colon + literal(words, item, inner, step));
  return parts.length ? open + parts.map((p) => "\n" + inner + p).join(",") + "\n" + indent + shut : open + shut;
};

// Source collects lines of code.
export class Source {
  text = "";
  line(...parts: string[]) { this.text += parts.join("") + "\n"; }
}

export const SAMPLE_FILE = "example-file"; // placeholder for the reader's file
const SAMPLE_MAX = 64 << 10;

// sampleEscape percent-encodes a form value, but keeps placeholders readable.
const sampleEscape = (text: string) => text.replace(/[^A-Za-z0-9\-._~<>{}:@/,]/gu, (c) =>
  /[!'()*]/.test(c) ? "%" + c.charCodeAt(0).toString(16).toUpperCase() : encodeURIComponent(c.isWellFormed?.() === false ? "\ufffd" : c));

export const samplePayload = (b: SampleBody) => {
  switch (b.kind) {
    case "json": return writeJSON(b.value, SAMPLE_MAX);
    case "text": return b.text;
    case "form": return b.fields.map((f) => sampleEscape(f.name) + "=" + sampleEscape(f.value)).join("&");
  }
  return "";
};

// sampleHeaders returns the request's headers and Content-Type. It is omitted for multipart bodies, because libraries add it with a
// boundary.
export const sampleHeaders = (r: SampleRequest) => r.body.kind === "none" || r.body.kind === "multipart" || !r.body.type ? r.headers
  : [...r.headers, { name: "Content-Type", value: r.body.type }];

// textual returns the body as text. Bodies that samples cannot build themselves become a note.
export const textual = (b: SampleBody) => {
  if (b.kind === "multipart") return { payload: "", note: "multipart/form-data with the fields " + b.fields.map((f) => f.name).join(", ") };
  if (b.kind === "file") return { payload: "", note: "the content of a file" };
  return { payload: samplePayload(b), note: "" };
};
export const oneLine = (text: string) => text.split(/[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/).filter(Boolean).join(" ");

// joined writes a text with several lines as several literals.
export const joined = (text: string, quote: (text: string) => string, glue: string) => text.split("\n").map((l, i, list) => quote(i < list.length - 1 ? l + "\n" : l)).join(glue);
