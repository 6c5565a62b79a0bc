// @ts-nocheck
// Controls of single values: texts, numbers, choices, files, and JSON for what no other control fits.
import { make } from "../page/page";
import { labelled } from "./field";
import { DIGITS, Digits, compactJSON, fromPlain, readJSON, writeJSON } from "./json";
import { limits, sameValue, typeName } from "./schema";

export const textInput = (value, more = {}) => {
  const input = make("input", { type: "text", className: "try-input", autocomplete: "off", spellcheck: false, value: value ?? "", ...more });
  return { element: input, input };
};

// choice is a list to choose from; values are any, the first is none when nothing may be chosen.
export const choice = (values, current, optional, names = values.map((v) => typeof v === "string" ? v : compactJSON(v))) => {
  const input = make("select", { className: "try-input" });
  if (optional) input.append(make("option", { value: "" }, "—"));
  names.forEach((name, i) => input.append(make("option", { value: String(i) }, name)));
  const at = current === undefined ? -1 : values.findIndex((v) => sameValue(v, current));
  input.value = at >= 0 ? String(at) : optional ? "" : "0";
  return { element: input, input, get: () => input.value === "" ? undefined : values[Number(input.value)] };
};

const textControl = (s, value, required) => {
  const long = typeof value === "string" && value.includes("\n") || (s.maxLength ?? 0) > 500;
  const hint = s.example ?? s.default ?? { date: "2026-01-31", "date-time": "2026-01-31T12:00:00Z", uuid: "123e4567-e89b-12d3-a456-426614174000", email: "name@example.com", uri: "https://example.com" }[s.format];
  const placeholder = hint === undefined || typeof hint === "object" ? "" : String(hint);
  const c = long ? (() => { const input = make("textarea", { className: "try-input", rows: 3, value: value ?? "", placeholder }); return { element: input, input }; })()
    : textInput(value, { placeholder, type: s.format === "password" ? "password" : "text" });
  c.get = () => c.input.value === "" && !required ? undefined : c.input.value;
  return c;
};

const numberControl = (s, value) => {
  const c = textInput(value === undefined || value === null ? "" : String(value), { inputMode: s.type === "integer" ? "numeric" : "decimal", placeholder: s.example ?? s.default ?? "" });
  c.get = () => { const text = c.input.value.trim(); return text === "" ? undefined : DIGITS.test(text) ? new Digits(text) : text; };
  return c;
};

// fileControl keeps the files that the reader chose; their content stays where it is until it is sent.
export const fileControl = (many) => {
  const input = make("input", { type: "file", className: "try-input try-file", multiple: many });
  return { element: input, input, get: () => { const list = [...input.files]; return list.length ? many ? list : list[0] : undefined; } };
};

const jsonControl = (value) => {
  const text = value === undefined ? "" : typeof value === "string" ? value : writeJSON(value);
  const input = make("textarea", { className: "try-input try-code", rows: Math.min(10, text.split("\n").length + 1), value: text, spellcheck: false, placeholder: "JSON, or text" });
  return { element: input, input, get: () => {
    if (input.value.trim() === "") return undefined;
    try { return readJSON(input.value); } catch { return input.value; }
  } };
};

// oneValue makes the control of a schema that holds one value.
const oneValue = (book, s, value, required) => {
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

// orNull lets a reader say null where that is allowed.
const orNull = (c, value) => {
  const box = make("input", { type: "checkbox", checked: value === null });
  const follow = () => { c.input.disabled = box.checked; };
  box.addEventListener("change", follow);
  follow();
  return { ...c, get: () => box.checked ? null : c.get(), beside: make("label", { className: "try-null" }, box, "null") };
};

// leaf is a field of one value.
export const leaf = (form, n, value, { name, required, deprecated, note }) => {
  const { book } = form;
  const s = book.at(n);
  const nullable = s.nullable && s.type !== "null";
  let c = oneValue(book, s, nullable && value === null ? undefined : value, required);
  if (nullable) c = orNull(c, value);
  const problems = (v) => {
    if (v === undefined || v === "" && required && s.minLength !== 0) return required ? ["is required"] : [];
    return s.file ? [] : book.problems(n, v).map((p) => p.text);
  };
  return labelled(form, { name, type: typeName(book, s), required, deprecated, note: note || s.description, say: limits(s) }, c, problems, ...c.beside ? [c.beside] : []);
};
