// Controls for single values: texts, numbers, choices, files, and JSON for everything else.
import { make } from "../page/page";
import { labelled } from "./field";
import type { About, Form, Input } from "./field";
import { DIGITS, Digits, compactJSON, fromPlain, readJSON, writeJSON } from "./json";
import type { Value } from "./json";
import type { Schema } from "./plan";
import { limits, sameValue, typeName } from "./schema";

export const textInput = (value: Value | undefined, more: Parameters<typeof make<"input">>[1] = {}) => {
  const input = make("input", { type: "text", className: "try-input", autocomplete: "off", spellcheck: false, value: String(value ?? ""), ...more });
  return { element: input, input, get: (): Value | undefined => input.value };
};

// choice creates a list of values of any type. If optional is set, the first entry means no value.
export const choice = <V extends Value>(values: V[], current: Value | undefined, optional: boolean, names = values.map((v) => typeof v === "string" ? v : compactJSON(v))) => {
  const input = make("select", { className: "try-input" });
  if (optional) input.append(make("option", { value: "" }, "—"));
  names.forEach((name, i) => input.append(make("option", { value: String(i) }, name)));
  const at = current === undefined ? -1 : values.findIndex((v) => sameValue(v, current));
  input.value = at >= 0 ? String(at) : optional ? "" : "0";
  return { element: input, input, get: (): V | undefined => input.value === "" ? undefined : values[Number(input.value)] };
};

const HINTS: Record<string, string> = {
  date: "2026-01-31", "date-time": "2026-01-31T12:00:00Z", uuid: "123e4567-e89b-12d3-a456-426614174000", email: "name@example.com", uri: "https://example.com",
};

const textControl = (s: Schema, value: Value | undefined, required: boolean | undefined): Input => {
  const long = typeof value === "string" && value.includes("\n") || (s.maxLength ?? 0) > 500;
  const hint = s.example ?? s.default ?? HINTS[s.format ?? ""];
  const placeholder = hint === undefined || typeof hint === "object" ? "" : String(hint);
  const input = long ? make("textarea", { className: "try-input", rows: 3, value: String(value ?? ""), placeholder })
    : textInput(value, { placeholder, type: s.format === "password" ? "password" : "text" }).input;
  return { element: input, input, get: () => input.value === "" && !required ? undefined : input.value };
};

const numberControl = (s: Schema, value: Value | undefined): Input => {
  const { input } = textInput(value === undefined || value === null ? "" : String(value), { inputMode: s.type === "integer" ? "numeric" : "decimal", placeholder: String(s.example ?? s.default ?? "") });
  return { element: input, input, get: () => { const text = input.value.trim(); return text === "" ? undefined : DIGITS.test(text) ? new Digits(text) : text; } };
};

// fileControl holds the selected files. Their content is only read when it is sent.
export const fileControl = (many: boolean): Input<File | File[] | undefined> => {
  const input = make("input", { type: "file", className: "try-input try-file", multiple: many });
  return { element: input, input, get: () => { const list = [...input.files ?? []]; return list.length ? many ? list : list[0] : undefined; } };
};

const jsonControl = (value: Value | undefined): Input => {
  const text = value === undefined ? "" : typeof value === "string" ? value : writeJSON(value);
  const input = make("textarea", { className: "try-input try-code", rows: Math.min(10, text.split("\n").length + 1), value: text, spellcheck: false, placeholder: "JSON, or text" });
  return { element: input, input, get: () => {
    if (input.value.trim() === "") return undefined;
    try { return readJSON(input.value); } catch { return input.value; }
  } };
};

// oneValue creates the control for a schema of a single value.
const oneValue = (s: Schema, value: Value | undefined, required: boolean | undefined): Input => {
  if (s.file) return fileControl(false);
  if ("const" in s) return choice([fromPlain(s.const)], value, !required);
  if (s.enum?.length) return choice(s.enum.map(fromPlain), value, !required);
  switch (s.type) {
    case "boolean": return choice([true, false], value, !required);
    case "null": return choice([null], value, !required);
    case "integer": case "number": return numberControl(s, value);
    case "string": return textControl(s, value, required);
  }
  return jsonControl(value);
};

// orNull adds a checkbox for null if that is allowed.
const orNull = (c: Input, value: Value | undefined): Input => {
  const box = make("input", { type: "checkbox", checked: value === null });
  const follow = () => { c.input.disabled = box.checked; };
  box.addEventListener("change", follow);
  follow();
  return { ...c, get: () => box.checked ? null : c.get(), beside: make("label", { className: "try-null" }, box, "null") };
};

// leaf creates a field for a single value.
export const leaf = (form: Form, n: number, value: Value | undefined, { name, required, deprecated, note }: About) => {
  const { book } = form;
  const s = book.at(n);
  const nullable = s.nullable && s.type !== "null";
  let c = oneValue(s, nullable && value === null ? undefined : value, required);
  if (nullable) c = orNull(c, value);
  const problems = (v: Value | undefined) => {
    if (v === undefined || v === "" && required && s.minLength !== 0) return required ? ["is required"] : [];
    return s.file ? [] : book.problems(n, v).map((p) => p.text);
  };
  return labelled(form, { name, type: typeName(book, s), required, deprecated, note: note || s.description, say: limits(s) }, c, problems, ...c.beside ? [c.beside] : []);
};
