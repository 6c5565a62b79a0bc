// Controls for values with parts: objects, lists, alternatives, free names. Optional parts are created on demand, so recursive schemas
// end.
import { find, make, word } from "../page/page";
import { fileControl, leaf, textInput } from "./control";
import { groupBox, iconButton, labelled, textButton } from "./field";
import type { About, Control, Form } from "./field";
import type { Value } from "./json";
import type { Schema } from "./plan";
import { kindOf, limits, typeName } from "./schema";

// Said holds properties of a field: its depth, and whether it needs no separate box.
interface Said extends About { depth?: number; nullable?: boolean; bare?: boolean }
type Build = (value: Value | undefined, tools: Node[]) => Control;

const DEEP = 8, PARTS = 1000; // limits of one value; parts beyond them are edited as JSON

// control creates the field of a schema.
export const control = (form: Form, n: number | undefined, value: Value | undefined, say: Said): Control => {
  const { book } = form;
  const s = book.at(n);
  const depth = (say.depth || 0) + 1;
  const told = { ...say, depth, note: say.note || s.description, nullable: s.nullable };
  if (depth === 1) form.parts = 0;
  if (++form.parts > PARTS || depth > DEEP) return leaf(form, -1, value, told);
  if (value === null && !s.nullable && !s.options?.length) return leaf(form, s.type === "null" ? n ?? -1 : -1, value, told);
  if (s.options?.length) return optionsControl(form, s, value, told);
  if (s.type === "array" && !s.enum && book.at(s.items).file) return filesControl(form, s, told);
  if (isCompound(s)) {
    if (value !== undefined && value !== null && kindOf(value) !== s.type) return leaf(form, -1, value, told); // a value of another type is edited as JSON
    return s.type === "object" ? objectControl(form, s, value, told) : listControl(form, s, value, told);
  }
  if (value !== undefined && value !== null && !s.file && !book.loose(n, value) && !(typeof value === "string")) return leaf(form, -1, value, told);
  return leaf(form, n ?? -1, value, told);
};

const isCompound = (s: Schema) => !("const" in s) && !s.enum?.length && (s.type === "object" && (!!s.properties?.length || s.additional !== undefined) || s.type === "array" && s.items !== undefined);

// optional shows an optional part as a button until the reader adds it.
const optional = (form: Form, say: Said, value: Value | undefined, build: Build): Control => {
  const element = make("div", { className: "try-part" });
  let inner: Pick<Control, "get" | "check"> | null = null;
  const hide = () => { inner = null; element.replaceChildren(textButton("plus", say.name, () => { show(undefined); form.changed(); find("input, select, textarea, button", element)?.focus(); }, "try-add")); };
  const show = (v: Value | undefined) => {
    const box = make("input", { type: "checkbox", checked: v === null });
    const remove = iconButton("trash", word("Remove") + " " + say.name, () => { hide(); form.changed(); find("button", element)?.focus(); });
    const made = build(v ?? undefined, [...say.nullable ? [make("label", { className: "try-null" }, box, "null")] : [], ...say.required ? [] : [remove]]);
    inner = { get: () => box.checked ? null : made.get(), check: () => box.checked ? [] : made.check() };
    element.replaceChildren(made.element);
  };
  if (value === undefined && !say.required) hide();
  else show(value);
  return { element, get: () => inner?.get(), check: () => inner?.check() ?? [] };
};

const objectControl = (form: Form, s: Schema, value: Value | undefined, say: Said) => optional(form, say, value, (v: Value | undefined, tools: Node[]) => {
  const parts = objectParts(form, s, v instanceof Map ? v : form.book.startObject(s, 0), say.depth);
  const bare = say.bare; // the body itself needs no box
  return {
    element: bare ? make("div", { className: "try-fields" }, ...parts.elements)
      : groupBox({ ...say, type: s.title || "object" }, parts.elements, ...tools),
    get: parts.get, check: parts.check,
  };
});

// objectParts creates the fields of an object: required and existing ones first, then the others in a part that can be
// expanded.
const objectParts = (form: Form, s: Schema, value: Map<string, Value>, depth: number | undefined) => {
  const { book } = form;
  const named = (s.properties || []).filter((p) => !book.at(p.schema).readOnly);
  const fields: [string, Pick<Control, "get" | "check">][] = [];
  const shown: HTMLElement[] = [], folded: HTMLElement[] = [];
  for (const p of named) {
    const { tagged } = s;
    if (s.discriminator === p.name && tagged !== undefined) { fields.push([p.name, { get: () => tagged, check: () => [] }]); continue; }
    const c = control(form, p.schema, value.get(p.name), { name: p.name, required: !!p.required, deprecated: book.at(p.schema).deprecated, depth });
    fields.push([p.name, c]);
    (p.required || value.has(p.name) || named.length <= 6 ? shown : folded).push(c.element);
  }
  if (folded.length) shown.push(make("details", { className: "try-more" }, make("summary", {}, folded.length + " optional fields"), make("div", { className: "try-fields" }, ...folded)));
  const known = new Set(named.map((p) => p.name));
  const others = new Map([...value].filter(([key]) => !known.has(key) && key !== s.discriminator));
  const free = s.additional !== undefined ? freeNames(form, s, others, depth) : null;
  if (free) shown.push(free.element);
  const get = () => {
    const out = new Map<string, Value>();
    for (const [name, c] of fields) { const v = c.get(); if (v !== undefined) out.set(name, v); }
    if (s.discriminator && s.tagged !== undefined && !out.has(s.discriminator)) out.set(s.discriminator, s.tagged);
    for (const [key, v] of free ? free.get() : others) out.set(key, v);
    return out;
  };
  return { elements: shown, get, check: () => [...fields.flatMap(([, c]) => c.check()), ...free ? free.check() : []] };
};

// rows creates a list of parts with buttons to add, remove and move them.
interface Row extends Control { moves?: boolean }
const rows = <V, R extends Row>(form: Form, className: string, build: (value: V) => R, addLabel: string, fresh: () => V) => {
  const list = make("div", { className });
  let items: { part: R; row: HTMLElement }[] = [];
  const draw = () => { list.replaceChildren(...items.map((item) => item.row)); form.changed(); };
  const add = (v: V) => {
    const part = build(v);
    const item = { part, row: make("div", { className: "try-row" }) };
    const move = (by: number) => { const at = items.indexOf(item), to = at + by; if (to < 0 || to >= items.length) return; items.splice(at, 1); items.splice(to, 0, item); draw(); };
    item.row.append(part.element, make("div", { className: "try-tools" },
      ...part.moves ? [iconButton("up", word("Move up"), () => move(-1)), iconButton("down", word("Move down"), () => move(1))] : [],
      iconButton("trash", word("Remove"), () => { items = items.filter((x) => x !== item); draw(); plus.focus(); })));
    items.push(item);
    return item;
  };
  const plus = textButton("plus", addLabel, () => { const item = add(fresh()); draw(); find("input, select, textarea", item.row)?.focus(); }, "try-add");
  return { add, element: make("div", { className: "try-rows" }, list, plus), show: () => list.replaceChildren(...items.map((item) => item.row)), items: () => items.map((item) => item.part) };
};

const listControl = (form: Form, s: Schema, value: Value | undefined, say: Said) => optional(form, say, value, (v: Value | undefined, tools: Node[]) => {
  const r = rows(form, "try-list", (item: Value | undefined) => ({ ...control(form, s.items, item, { name: say.name + " item", required: true, depth: say.depth }), moves: true }),
    "Add item", () => form.book.start(s.items));
  const items = v ?? form.book.given(s);
  for (const item of Array.isArray(items) ? items : []) r.add(item);
  r.show();
  return {
    element: groupBox({ ...say, type: typeName(form.book, s), say: limits(s) }, [r.element], ...tools),
    get: () => r.items().map((item) => item.get()).filter((x) => x !== undefined),
    check: () => [...listWrong(s, r.items().length).map((text) => ({ label: say.name, text, element: find("button", r.element) })), ...r.items().flatMap((item) => item.check())],
  };
});

const listWrong = (s: Schema, n: number) => n < (s.minItems ?? 0) ? [`needs at least ${s.minItems} items`] : n > (s.maxItems ?? Infinity) ? [`has more than ${s.maxItems} items`] : [];

const freeNames = (form: Form, s: Schema, value: Map<string, Value>, depth: number | undefined) => {
  const r = rows(form, "try-list", ([key, v]: [string, Value | undefined]) => {
    const name = textInput(key, { "aria-label": "Name", placeholder: "name" });
    const c = control(form, s.additional, v, { name: "value", required: true, depth });
    return { element: make("div", { className: "try-pair" }, name.element, c.element), name: name.input, get: c.get, check: () => name.input.value ? c.check() : [{ label: "A name", text: "is missing", element: name.input }] };
  }, "Add a field", (): [string, Value | undefined] => ["", form.book.start(s.additional)]);
  for (const entry of value) r.add(entry);
  r.show();
  return { element: r.element, get: () => r.items().flatMap((i): [string, Value][] => { const v = i.get(); return i.name.value !== "" && v !== undefined ? [[i.name.value, v]] : []; }), check: () => r.items().flatMap((i) => i.check()) };
};

const filesControl = (form: Form, s: Schema, say: Said) => labelled(form, { ...say, type: "files" }, fileControl(true),
  (v) => v === undefined ? say.required ? ["is required"] : [] : listWrong(s, Array.isArray(v) ? v.length : 1));

// optionsControl lets the reader select an alternative, and keeps the values of common members.
const optionsControl = (form: Form, s: Schema, value: Value | undefined, say: Said) => optional(form, say, value, (v: Value | undefined, tools: Node[]) => {
  const { book } = form;
  const options = s.options ?? [];
  const names = options.map((n, i) => { const o = book.at(n); return String(o.title || o.tagged || (o.type && o.type !== "object" ? typeName(book, o) : "Option " + (i + 1))); });
  const pick = make("select", { className: "try-input", id: form.id() }, ...names.map((name, i) => make("option", { value: String(i) }, name)));
  const place = make("div", { className: "try-fields" });
  let inner: Control;
  const show = (i: number, kept: Value | undefined) => {
    inner = control(form, options[i], kept, { name: names[i], required: true, depth: say.depth, bare: true });
    place.replaceChildren(inner.element);
  };
  const first = book.choose(s, v);
  pick.value = String(first);
  show(first, v ?? book.start(options[first]));
  pick.addEventListener("change", () => {
    const before = inner.get();
    const i = Number(pick.value);
    const next = book.start(options[i]);
    if (before instanceof Map && next instanceof Map) {
      const o = book.at(options[i]);
      for (const p of o.properties || []) {
        const kept = before.get(p.name);
        if (kept !== undefined && p.name !== o.discriminator && book.loose(p.schema, kept) && !("const" in book.at(p.schema))) next.set(p.name, kept);
      }
    }
    show(i, next);
    form.changed();
  });
  const label = make("label", { className: "try-unseen", htmlFor: pick.id }, (say.name || "Body") + ": alternative");
  const type = names.length < 4 && options.every((n) => book.at(n).title || book.at(n).tagged) ? names.join(" or ") : names.length + " alternatives";
  return { element: groupBox({ ...say, type }, [label, pick, place], ...tools), get: () => inner.get(), check: () => inner.check() };
});
