// Evaluates schemas of the plan: types of values, initial values, and validation.
import { Digits, compactJSON, fromPlain } from "./json";
import type { Value } from "./json";
import { misses } from "./pattern";
import type { Schema } from "./plan";

// Wrong is a problem with a value, and its position in the value.
export interface Wrong { at: string; text: string }

export const kindOf = (v: Value | undefined) => v === null ? "null" : v instanceof Digits ? "number" : v instanceof Map ? "object" : Array.isArray(v) ? "array" : typeof v;
// Limits, because recursive schemas could take too long.
const STEPS = 20_000; // for one validation of a value
const STARTS = 500; // initial values of a form
export const sameValue = (a: Value, b: Value) => compactJSON(a) === compactJSON(b);

// Book holds the schemas of a page. Their values are parsed once, so that numbers keep their digits.
export class Book {
  private left = STEPS;
  constructor(private list: Schema[] = []) {
    // Set the name of the discriminator on the alternatives too.
    for (const s of list) if (s.discriminator && s.options) for (const n of s.options) { const o = list[n]; if (o?.tagged !== undefined) o.discriminator ||= s.discriminator; }
  }
  at(n: number | undefined): Schema { return (n === undefined ? undefined : this.list[n]) ?? { type: "any" }; }

  // given returns a value from the description, or undefined.
  given(s: Schema): Value | undefined {
    for (const key of ["const", "default", "example"] as const) if (key in s) return fromPlain(s[key]);
    return undefined;
  }

  // start returns the initial value of a form: values from the description, required ones, and those with only one
  // possible value.
  start(n: number | undefined, required = true, depth = 0): Value | undefined {
    if (!depth) this.left = STARTS;
    const s = this.at(n);
    const named = this.given(s);
    if (named !== undefined) return named;
    if (!required || depth > 6 || --this.left < 0) return undefined;
    if (s.options?.length) return this.start(s.options[0], true, depth + 1);
    if (s.enum?.length) return fromPlain(s.enum[0]);
    switch (s.type) {
      case "object": return this.startObject(s, depth);
      case "array": {
        const items: Value[] = [];
        for (let i = 0; i < Math.min(s.minItems || 0, depth > 1 ? 1 : 5); i++) items.push(this.start(s.items, true, depth + 1) ?? "");
        return items;
      }
      case "boolean": return false;
      case "string": return s.file ? undefined : "";
      case "null": return null;
    }
    return undefined;
  }

  startObject(s: Schema, depth: number): Map<string, Value> {
    const map = new Map<string, Value>();
    for (const p of s.properties || []) {
      const schema = this.at(p.schema);
      if (schema.readOnly) continue;
      let v = this.start(p.schema, !!p.required, depth + 1);
      if (s.discriminator === p.name && s.tagged !== undefined) v = s.tagged;
      if (v !== undefined) map.set(p.name, v);
    }
    if (s.discriminator && s.tagged !== undefined) map.set(s.discriminator, s.tagged);
    return map;
  }

  // choose returns the alternative that a value belongs to: by its tag, otherwise the first one that it matches,
  // otherwise the first.
  choose(s: Schema, value: Value | undefined, depth = 0): number {
    if (!depth) this.left = STEPS;
    const options = s.options ?? [];
    if (value === undefined) return 0;
    const tag = value instanceof Map && options.findIndex((n) => { const o = this.at(n); return o.discriminator && o.tagged !== undefined && value.get(o.discriminator) === o.tagged; });
    if (typeof tag === "number" && tag >= 0) return tag;
    const fits = options.findIndex((n) => this.loose(n, value) && !this.problems(n, value, "", depth + 1).length);
    if (fits >= 0) return fits;
    return Math.max(0, options.findIndex((n) => this.loose(n, value)));
  }

  // loose reports whether a value has the schema's type. It skips alternatives in seen, because schemas may be
  // recursive.
  loose(n: number | undefined, v: Value, seen = new Set<number | undefined>()): boolean {
    const s = this.at(n);
    if (s.options?.length) return !seen.has(n) && (seen.add(n), s.options.some((o) => this.loose(o, v, seen)));
    if (v === null) return s.type === "null" || !!s.nullable || s.type === "any" || !s.type;
    const kind = kindOf(v);
    return !s.type || s.type === "any" || s.type === kind || s.type === "integer" && kind === "number";
  }

  // problems returns messages about invalid parts of a value, with their positions.
  problems(n: number | undefined, v: Value | undefined, at = "", depth = 0): Wrong[] {
    if (!depth) this.left = STEPS;
    const s = this.at(n);
    if (v === undefined || depth > 30 || --this.left < 0 || v === null && s.nullable) return [];
    if (s.options?.length) return this.problems(s.options[this.choose(s, v, depth + 1)], v, at, depth + 1);
    if (!this.loose(n, v)) return [{ at, text: `must be ${article(s.type)}` }];
    const say = (text: string) => ({ at, text });
    const out: Wrong[] = [];
    if ("const" in s && !sameValue(v, fromPlain(s.const))) out.push(say(`must be ${compactJSON(fromPlain(s.const))}`));
    if (s.enum?.length && !s.enum.some((e) => sameValue(v, fromPlain(e)))) out.push(say("must be one of the listed values"));
    if (typeof v === "string") out.push(...textProblems(s, v).map(say));
    if (v instanceof Digits) out.push(...numberProblems(s, v).map(say));
    if (Array.isArray(v)) out.push(...this.listProblems(s, v, at, depth));
    if (v instanceof Map) out.push(...this.objectProblems(s, v, at, depth));
    return out;
  }

  private listProblems(s: Schema, v: Value[], at: string, depth: number): Wrong[] {
    const out: Wrong[] = [];
    if (v.length < (s.minItems ?? 0)) out.push({ at, text: `needs at least ${s.minItems} items` });
    if (v.length > (s.maxItems ?? Infinity)) out.push({ at, text: `has more than ${s.maxItems} items` });
    if (s.items !== undefined) v.forEach((item, i) => out.push(...this.problems(s.items, item, at + "[" + i + "]", depth + 1)));
    return out;
  }

  private objectProblems(s: Schema, v: Map<string, Value>, at: string, depth: number): Wrong[] {
    const out: Wrong[] = [];
    for (const p of s.properties || []) {
      const inner = at ? at + "." + p.name : p.name;
      if (v.has(p.name)) {
        if (p.required && v.get(p.name) === "" && this.at(p.schema).minLength !== 0) out.push({ at: inner, text: "is required" });
        else out.push(...this.problems(p.schema, v.get(p.name), inner, depth + 1));
      } else if (p.required && !this.at(p.schema).readOnly) out.push({ at: inner, text: "is required" });
    }
    if (s.additional !== undefined) {
      for (const [key, item] of v) if (!(s.properties || []).some((p) => p.name === key)) out.push(...this.problems(s.additional, item, at ? at + "." + key : key, depth + 1));
    }
    return out;
  }
}

const ARTICLES: Record<string, string> = { object: "an object", array: "a list", integer: "a whole number", number: "a number", boolean: "true or false", null: "null" };
const article = (type = "") => ARTICLES[type] || "a text";

const textProblems = (s: Schema, v: string) => {
  const out: string[] = [];
  const length = [...v].length;
  if (length < (s.minLength ?? 0)) out.push(`needs at least ${s.minLength} characters`);
  if (length > (s.maxLength ?? Infinity)) out.push(`has more than ${s.maxLength} characters`);
  if (s.pattern && misses(s.pattern, v)) out.push(`does not match ${s.pattern}`);
  return out;
};

const least = (s: Schema) => (s.exclusiveMinimum ? "more than " : "at least ") + s.minimum;
const most = (s: Schema) => (s.exclusiveMaximum ? "less than " : "at most ") + s.maximum;
const numberProblems = (s: Schema, v: Digits) => {
  const out: string[] = [];
  const n = Number(v.text);
  if (s.type === "integer" && !Number.isInteger(n)) out.push("must be a whole number");
  if (s.minimum !== undefined && (s.exclusiveMinimum ? n <= s.minimum : n < s.minimum)) out.push(`must be ${least(s)}`);
  if (s.maximum !== undefined && (s.exclusiveMaximum ? n >= s.maximum : n > s.maximum)) out.push(`must be ${most(s)}`);
  const rest = s.multipleOf && s.multipleOf > 0 ? n / s.multipleOf : 0;
  if (Math.abs(rest - Math.round(rest)) > 1e-9) out.push(`must be a multiple of ${s.multipleOf}`);
  return out;
};

// limits describes the constraints on a value in the same words as the page.
export const limits = (s: Schema) => {
  const below = s.exclusiveMinimum ? "<" : "≤", above = s.exclusiveMaximum ? "<" : "≤";
  const { minimum: low, maximum: high } = s;
  const out: string[] = [];
  if (low !== undefined && high !== undefined) out.push(`${low} ${below} x ${above} ${high}`);
  else if (low !== undefined) out.push(`x ${s.exclusiveMinimum ? ">" : "≥"} ${low}`);
  else if (high !== undefined) out.push(`x ${above} ${high}`);
  if (s.multipleOf && s.multipleOf !== 1) out.push(`multiple of ${s.multipleOf}`);
  out.push(countRange(s.minLength, s.maxLength, "character"), countRange(s.minItems, s.maxItems, "item"));
  if (s.pattern) out.push(`matches ${s.pattern}`);
  return out.filter(Boolean).join(" · ");
};

const countRange = (least: number | undefined, most: number | undefined, noun: string) => {
  const many = (n?: number) => n + " " + noun + (n === 1 ? "" : "s");
  if (!least) return most === undefined ? "" : "at most " + many(most);
  if (most === undefined) return "at least " + many(least);
  return least === most ? "exactly " + many(most) : `${least} to ${many(most)}`;
};

// typeName returns the type that is shown next to a field's name.
export const typeName = (book: Book, s: Schema, depth = 0): string => {
  if (s.options?.length) return "one of " + s.options.length;
  if (s.file) return "file";
  if (s.type === "array") { const inner = depth > 3 ? "any" : typeName(book, book.at(s.items), depth + 1); return inner === "any" ? "list" : inner + "[]"; }
  const name = s.enum?.length ? "enum" : s.type || "any";
  return s.format && !s.enum?.length ? name + " · " + s.format : name;
};
