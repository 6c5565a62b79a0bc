// Encodes values in URLs, headers and cookies by OpenAPI's rules: by location, style and explode.
import { compactJSON } from "./json";
import type { Value } from "./json";
import type { Styled } from "./plan";

type Encode = (text: string) => string;
type Pair = [name: string, value: string];

const percent = (c: string) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
const wellFormed = (text: string) => text.toWellFormed ? text.toWellFormed() : text;
export const encodeStrict = (text: string) => encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, percent);
// With allowReserved, reserved characters and existing escapes are kept, except for characters that would end or split
// the query.
export const encodeReserved = (text: string) => wellFormed(text).replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?@!$'()*,;=]/gu, (c) => c.length === 3 && c[0] === "%" ? c : encodeStrict(c));

// flat converts a value to text. Lists and objects become JSON, because OpenAPI has no rule for nested values.
export const flat = (v: Value | undefined) => v === null || v === undefined ? "" : typeof v === "string" ? v : v instanceof Map || Array.isArray(v) ? compactJSON(v) : String(v);

const styleOf = (p: Styled) => {
  const style = p.style || (p.in === "query" || p.in === "cookie" ? "form" : "simple");
  return { style, explode: p.explode ?? (p.style ? false : style === "form") };
};

// pairs returns the members of an object as encoded text.
const pairs = (value: Map<string, Value>, encode: Encode) => [...value].map(([key, item]): Pair => [encode(key), encode(flat(item))]);

// ofContent writes a value in the media type of a parameter: as JSON for JSON types, otherwise unchanged.
const ofContent = (p: Styled, value: Value) => /^[^;]*[/+]json\s*(;|$)/i.test(p.content ?? "") ? compactJSON(value) : flat(value);

// inPath returns the text that replaces {name}.
export const inPath = (p: Styled, value: Value, encode = encodeStrict) => {
  if (p.content) return encode(ofContent(p, value));
  const { style, explode } = styleOf(p);
  const name = encode(p.name);
  const prefix = style === "label" ? "." : style === "matrix" ? ";" : "";
  const glue = prefix && explode ? prefix : ",";
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(flat(item)));
    if (style === "matrix") return explode ? items.map((item) => ";" + name + "=" + item).join("") : ";" + name + "=" + items.join(",");
    return prefix + items.join(glue);
  }
  if (value instanceof Map) {
    const members = pairs(value, encode);
    if (explode) return prefix + members.map(([key, item]) => key + "=" + item).join(glue);
    return prefix + (style === "matrix" ? name + "=" : "") + members.flat().join(",");
  }
  const text = encode(flat(value));
  return style === "matrix" ? ";" + name + (text && "=" + text) : prefix + text;
};

// asPairs returns a value as name=value pairs for queries, cookies and forms.
export const asPairs = (p: Styled, value: Value, encode = encodeStrict): Pair[] => {
  const name = encodeStrict(p.name);
  if (p.content) return [[name, encode(ofContent(p, value))]];
  const { style, explode } = styleOf(p);
  if (style === "deepObject" && value instanceof Map) return deep(p.name, value, encode);
  const glue = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(flat(item)));
    return explode ? items.map((item): Pair => [name, item]) : items.length ? [[name, items.join(glue)]] : [];
  }
  if (value instanceof Map) {
    const members = [...value].map(([key, item]): Pair => [encodeStrict(key), encode(flat(item))]);
    return explode && (style === "form" || style === "cookie") ? members : [[name, members.flat().join(glue)]];
  }
  return [[name, encode(flat(value))]];
};

const deep = (name: string, value: Map<string, Value>, encode: Encode): Pair[] => [...value].flatMap(([key, item]) => {
  const inner = name + "[" + key + "]";
  if (item instanceof Map) return deep(inner, item, encode);
  return (Array.isArray(item) ? item : [item]).map((one): Pair => [encodeStrict(inner), encode(flat(one))]);
});

export const inQuery = (p: Styled, value: Value) => asPairs(p, value, p.allowReserved ? encodeReserved : encodeStrict).map((pair) => pair.join("="));
// inCookie returns complete cookies. With the style "form", parts are joined as in a query into one cookie; with "cookie", each is a separate
// cookie, unencoded.
export const inCookie = (p: Styled, value: Value) => {
  const own = !p.content && styleOf(p).style === "cookie";
  const list = asPairs(p, value, own ? (text) => text : encodeStrict).map((pair) => pair.join("="));
  return own ? list : list.length ? [list.join("&")] : [];
};
export const inHeader = (p: Styled, value: Value) => p.content ? ofContent(p, value) : inPath({ ...p, style: "simple", explode: styleOf(p).explode }, value, (text) => text);
