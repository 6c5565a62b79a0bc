// The body of a request, by media type: JSON as a form and as text, forms, files, text.
import { make, word } from "../page/page";
import { control } from "./compound";
import { fileControl } from "./control";
import { labelled } from "./field";
import type { Control, Form, Problem } from "./field";
import { fromPlain, readJSON, writeJSON } from "./json";
import type { Value } from "./json";
import type { Encoding, Media } from "./plan";
import type { Book } from "./schema";
import { asPairs, encodeReserved, encodeStrict, flat } from "./style";
import type { Body, FormField } from "./transport";

// Saved is a body from the history.
export interface Saved { value?: Value; raw?: string }
export interface BodyControl {
  element: HTMLElement;
  call: (type: string) => Body;
  check: () => Problem[];
  save: () => Saved;
}

export const bodyKind = (book: Book, media: Media) => {
  const type = media.type.toLowerCase();
  const s = media.schema === undefined ? null : book.at(media.schema);
  if (/^application\/json\b|\+json\b|^text\/json\b|\*\/\*/.test(type)) return "json";
  if (type.startsWith("multipart/")) return "multipart";
  if (type.startsWith("application/x-www-form-urlencoded")) return "form";
  if (s?.file || /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip)/.test(type)) return "file";
  return "text";
};

// exampleOf returns the initial value of a body.
const exampleOf = (book: Book, media: Media, at = 0) => {
  const named = media.examples?.[at];
  if (named && "value" in named) return fromPlain(named.value);
  return media.schema === undefined ? undefined : book.start(media.schema);
};

// JSONBody shows a value as a form or as text. The visible one holds the value; the other is created from it on switching.
class JSONBody implements BodyControl {
  readonly element = make("div", { className: "try-body" });
  private place = make("div");
  private wrong: HTMLElement;
  private raw: HTMLTextAreaElement;
  private tabs: HTMLButtonElement[];
  private control: Control | null = null;
  private asText = false;
  private broken = false; // the text is not JSON

  constructor(private form: Form, private media: Media, private value: Value | undefined, text?: string) {
    this.wrong = make("p", { className: "try-wrong", id: form.id(), role: "status", hidden: true });
    this.raw = make("textarea", { className: "try-input try-code try-raw", rows: 12, spellcheck: false, "aria-label": "Body as JSON", "aria-describedby": this.wrong.id });
    this.raw.addEventListener("input", () => this.read());
    this.tabs = ["Form", "JSON"].map((name, i) => make("button", { type: "button", className: "try-tab", onclick: () => { this.turn(i === 1); form.changed(); } }, word(name)));
    this.element.append(make("div", { className: "try-tabs", role: "group", "aria-label": "How to write the body" }, ...this.tabs), this.place, this.wrong);
    this.turn(text !== undefined, text);
  }

  private turn(raw: boolean, text?: string) {
    if (!raw && this.asText && !this.read()) return; // invalid text cannot be shown as a form
    if (raw) {
      this.raw.value = text ?? (this.asText ? this.raw.value : this.current() === undefined ? "" : writeJSON(this.current()));
      this.place.replaceChildren(this.raw);
      this.control = null;
    } else {
      const schema = this.media.schema ?? -1;
      this.control = control(this.form, schema, this.value ?? this.form.book.start(schema), { name: word("Body"), required: true, bare: true });
      this.place.replaceChildren(this.control.element);
    }
    this.asText = raw;
    this.tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(raw === (i === 1))));
    if (raw) this.read();
    else this.wrong.hidden = true;
  }

  private current() { return this.control ? this.control.get() : this.value; }

  // read parses the text as the value, or shows what is wrong with it.
  private read() {
    let problem = "";
    try {
      this.value = this.raw.value.trim() === "" ? undefined : readJSON(this.raw.value);
      const found = this.value === undefined || this.media.schema === undefined ? [] : this.form.book.problems(this.media.schema, this.value);
      if (found.length) problem = (found[0].at || word("Body")) + " " + found[0].text + ".";
      this.broken = false;
    } catch (error) { problem = (error as Error).message; this.broken = true; }
    this.wrong.textContent = problem;
    this.wrong.hidden = !problem;
    this.raw.toggleAttribute("aria-invalid", false);
    if (problem) this.raw.setAttribute("aria-invalid", "true");
    return !this.broken;
  }

  call(type: string): Body {
    if (this.asText && this.broken) return { kind: "text", type, text: this.raw.value };
    if (this.asText) return { kind: "json", type, value: this.value ?? null, text: this.raw.value };
    const value = this.current();
    return { kind: "json", type, value: value ?? null, text: writeJSON(value) };
  }

  check() {
    if (this.control) return this.control.check();
    this.read();
    return this.wrong.hidden ? [] : [{ label: "", text: this.wrong.textContent.replace(/\.$/, ""), element: this.raw }];
  }

  save() { return this.asText ? { raw: this.raw.value } : { value: this.current() }; }
}

// styledFields writes a member of a form by its style. For an encoded form, the pair stays as the style wrote it (ready), because after
// decoding, separators could not be distinguished from content. Parts of a multipart form, which have a type, are never encoded.
const styledFields = (name: string, how: Encoding, value: Value, type: string | undefined): FormField[] => {
  const style = how.style || "form";
  const list = asPairs({ name, style, explode: how.explode ?? style === "form" }, value, how.allowReserved && type === undefined ? encodeReserved : encodeStrict);
  return list.map(([key, item]) => ({ name: decodeURIComponent(key), value: plainly(item), ...type === undefined ? { ready: key + "=" + item } : { type } }));
};
const plainly = (text: string) => { try { return decodeURIComponent(text); } catch { return text; } };

// FormBody is an object whose members are the fields of a form, including files if the form permits them.
class FormBody implements BodyControl {
  readonly element: HTMLElement;
  private control: Control;
  constructor(form: Form, private media: Media, value: Value | undefined) {
    const schema = media.schema ?? -1;
    this.control = control(form, schema, value instanceof Map ? value : undefined, { name: word("Body"), required: true, bare: true });
    this.element = make("div", { className: "try-body" }, this.control.element);
  }

  // fields returns the members. By OpenAPI's rules, lists are repeated and objects are JSON, unless the encoding
  // specifies otherwise.
  private fields(multipart: boolean): FormField[] {
    const value = this.control.get();
    if (!(value instanceof Map)) return [];
    return [...value].flatMap(([name, v]) => {
      const how = this.media.encoding?.[name] || {};
      const type = multipart ? (how.contentType || "").split(",")[0].trim().replace(/.*\*.*/, "") : "";
      const one = (item: Value): FormField => item instanceof File ? { name, value: item.name, file: item, type: type || item.type || "application/octet-stream" }
        : { name, value: flat(item), type: type || (multipart && (item instanceof Map || Array.isArray(item)) ? "application/json" : "") };
      const files = v instanceof File || Array.isArray(v) && v.some((item) => item instanceof File); // styles do not apply to files
      if (!files && (how.style !== undefined || how.explode !== undefined || how.allowReserved)) return styledFields(name, how, v, multipart ? type : undefined);
      return Array.isArray(v) && type !== "application/json" ? v.map(one) : [one(v)];
    });
  }

  call(type: string): Body {
    const kind = type.startsWith("multipart/") ? "multipart" : "form";
    return { kind, type, fields: this.fields(kind === "multipart") };
  }
  check() { return this.control.check(); }
  save() { const v = this.control.get(); return { value: v instanceof Map ? new Map([...v].filter(([, item]) => !(item instanceof File || Array.isArray(item) && item[0] instanceof File))) : v }; }
}

class FileBody implements BodyControl {
  readonly element: HTMLElement;
  private control: { element: HTMLElement; get: () => File | File[] | undefined; check: () => Problem[] };
  constructor(form: Form, required: boolean | undefined) {
    this.control = labelled(form, { name: word("File"), type: "file", required }, fileControl(false), (v: Value | undefined) => v || !required ? [] : ["is required"]);
    this.element = make("div", { className: "try-body" }, this.control.element);
  }
  call(type: string): Body { const file = [this.control.get()].flat()[0]; return file ? { kind: "file", type: type.includes("*") ? file.type || "application/octet-stream" : type, file } : { kind: "none" }; }
  check() { return this.control.check(); }
  save() { return {}; }
}

class TextBody implements BodyControl {
  readonly element: HTMLElement;
  private control: { element: HTMLElement; get: () => string; check: () => Problem[] };
  constructor(form: Form, value: Value | undefined, required: boolean | undefined) {
    const input = make("textarea", { className: "try-input try-code try-raw", rows: 8, spellcheck: false, value: value === undefined ? "" : flat(value) });
    this.control = labelled(form, { name: word("Body"), required }, { element: input, input, get: () => input.value }, (v: Value | undefined) => v || !required ? [] : ["is required"]);
    this.element = make("div", { className: "try-body" }, this.control.element);
  }
  call(type: string): Body { const text = this.control.get(); return text ? { kind: "text", type, text } : { kind: "none" }; }
  check() { return this.control.check(); }
  save() { return { raw: this.control.get() }; }
}

export const bodyControl = (form: Form, media: Media, saved: Saved | undefined, example: number): BodyControl => {
  const value = saved ? saved.value : exampleOf(form.book, media, example);
  switch (bodyKind(form.book, media)) {
    case "json": return new JSONBody(form, media, value, saved?.raw);
    case "multipart": case "form": return new FormBody(form, media, value);
    case "file": return new FileBody(form, media.required);
  }
  return new TextBody(form, saved?.raw ?? value, media.required);
};
