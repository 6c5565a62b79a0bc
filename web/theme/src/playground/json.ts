// JSON that keeps the digits of numbers and the order of members, so that exactly what a reader types is sent. Values
// of forms may also be files.
export type Value = null | boolean | string | Digits | File | Value[] | Map<string, Value>;

export class Digits {
  constructor(readonly text: string) {}
  toString() { return this.text; }
  valueOf() { return Number(this.text); }
}

export const DIGITS = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const quoteJSON = (text: string) => {
  let out = '"';
  for (const c of text) {
    const code = c.codePointAt(0)!;
    if (c === '"' || c === "\\") out += "\\" + c;
    else if (c === "\n") out += "\\n";
    else if (c === "\t") out += "\\t";
    else if (c === "\r") out += "\\r";
    else if (code < 0x20 || code === 0xfffd || code >= 0x7f && code < 0xa0 || code === 0xfeff || code >= 0xd800 && code < 0xe000) out += "\\u" + (0x10000 + code).toString(16).slice(1);
    else out += c;
  }
  return out + '"';
};

const bytesOf = (text: string) => {
  let n = 0;
  for (const c of text) { const code = c.codePointAt(0)!; n += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }
  return n;
};

// writeJSON writes a value, indented by two spaces per level. Samples are limited in bytes, like those of the build.
export const writeJSON = (value: Value | undefined, max = Infinity) => {
  let out = "", size = 0;
  const put = (text: string) => { out += text; if (max < Infinity) size += bytesOf(text); };
  const list = <T>(indent: string, brackets: string, parts: T[], write: (part: T) => void) => {
    if (!parts.length) return put(brackets);
    let mark = brackets[0];
    for (const part of parts) {
      put(mark + indent + "  ");
      write(part);
      mark = ",";
      if (size > max) break;
    }
    put(indent + brackets[1]);
  };
  const any = (v: Value | undefined, indent: string) => {
    if (size > max || indent.length > 400) put('"…"');
    else if (v === null || v === undefined) put("null");
    else if (typeof v === "string") put(quoteJSON(v));
    else if (Array.isArray(v)) list(indent, "[]", v, (item: Value) => any(item, indent + "  "));
    else if (v instanceof Map) list(indent, "{}", [...v], ([key, item]) => { put(quoteJSON(key) + ": "); any(item, indent + "  "); });
    else put(String(v));
  };
  any(value, "\n");
  return out;
};

// compactJSON writes a value on one line, for a parameter or a field of a form.
export const compactJSON = (v: Value | undefined): string => {
  if (v === null || v === undefined) return "null";
  if (typeof v === "string") return quoteJSON(v);
  if (Array.isArray(v)) return "[" + v.map(compactJSON).join(",") + "]";
  if (v instanceof Map) return "{" + [...v].map(([key, item]) => quoteJSON(key) + ":" + compactJSON(item)).join(",") + "}";
  return String(v);
};

// fromPlain converts a result of JSON.parse to such a value.
export const fromPlain = (v: unknown): Value => {
  if (v instanceof Digits) return v;
  if (typeof v === "number") return new Digits(String(v));
  if (Array.isArray(v)) return v.map(fromPlain);
  if (v && typeof v === "object") return new Map(Object.entries(v).map(([key, item]): [string, Value] => [key, fromPlain(item)]));
  return typeof v === "string" || typeof v === "boolean" ? v : null;
};

// parsePlain is JSON.parse, but keeps the digits of numbers that would be rounded, if the browser supports it.
export const parsePlain = (text: string): unknown => {
  // The third argument is newer than the types of JSON.parse.
  const revive = (key: string, v: unknown, found?: { source?: string }) =>
    typeof v === "number" && found?.source && found.source !== String(v) ? new Digits(found.source) : v;
  return JSON.parse(text, revive);
};

// readJSON parses a text, or throws an error with a message for the reader.
export const readJSON = (text: string): Value => {
  let at = 0;
  const fail: (what: string) => never = (what) => {
    const before = text.slice(0, at).split("\n");
    throw new SyntaxError(`Line ${before.length}, column ${before.at(-1)!.length + 1}: ${what}.`);
  };
  const space = () => { while (at < text.length && " \t\n\r".includes(text[at])) at++; };
  const string = (): string => {
    const found = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
    found.lastIndex = at;
    const m = found.exec(text);
    if (!m) return fail("a text in double quotes is not closed, or holds a line break");
    try {
      const value = JSON.parse(m[0]);
      at += m[0].length;
      return value;
    } catch { return fail("a text has an escape that JSON does not know"); }
  };
  const parts = (end: string, part: () => void) => {
    at++;
    space();
    if (text[at] === end) { at++; return; }
    for (;;) {
      space();
      part();
      space();
      if (text[at] === end) { at++; return; }
      if (text[at] !== ",") fail(`“,” or “${end}” is missing`);
      at++;
    }
  };
  const value = (depth: number): Value => {
    space();
    if (depth > 200) fail("the value is nested too deeply");
    const c = text[at];
    if (c === '"') return string();
    if (c === "[") { const list: Value[] = []; parts("]", () => list.push(value(depth + 1))); return list; }
    if (c === "{") {
      const map = new Map<string, Value>();
      parts("}", () => {
        if (text[at] !== '"') fail("a name in double quotes is missing");
        const key = string();
        space();
        if (text[at] !== ":") fail("“:” is missing after a name");
        at++;
        map.set(key, value(depth + 1));
      });
      return map;
    }
    const m = /^[-+.\w]+/.exec(text.slice(at, at + 400));
    if (!m) return fail(at < text.length ? "a value is missing here" : "the text ends too early");
    const word = m[0];
    if (!["true", "false", "null"].includes(word) && !DIGITS.test(word)) fail(`“${word}” is no JSON value`);
    at += word.length;
    return word === "null" ? null : word === "true" ? true : word === "false" ? false : new Digits(word);
  };
  const v = value(0);
  space();
  if (at < text.length) fail("there is text after the value");
  return v;
};
