// Credentials for requests. What readers type is kept in memory or, if they choose so, in the tab's session storage. It belongs to one
// description and one origin and is not used for any other, because another API may have a scheme with the same name.
import { make } from "../page/page";
import { MASK } from "./call";
import type { Proof } from "./call";
import { groupBox, iconButton, labelled, textButton } from "./field";
import type { Form } from "./field";
import { oauthControl } from "./oauth";
import type { Plan, Scheme } from "./plan";
import { base64, utf8 } from "./transport";
import type { Answered, Call } from "./transport";

export type Ask = (call: Call) => Promise<Answered>;
// Shelf stores what readers type for one description and one origin.
export interface Shelf { get: (key: string) => string; set: (key: string, value: string) => void }
// Where a scheme is used. ask sends a call in the way that the reader chose.
export interface Place { spec: string; origin: string; ask: Ask }
interface SchemeControl { element: HTMLElement; parts: (reveal: boolean) => Proof[] }

const KEY = "lectern-try-credentials";
let kept = false;
let values = new Map<string, string>();
try { const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null"); if (Array.isArray(saved)) { values = new Map(saved); kept = true; } } catch { /* no storage */ }
const write = () => { try { if (kept) sessionStorage.setItem(KEY, JSON.stringify([...values])); else sessionStorage.removeItem(KEY); } catch { /* no storage */ } };
export const safe = {
  // shelf returns the storage for a description and an origin.
  shelf: (spec: string, origin: string): Shelf => {
    const at = (key: string) => JSON.stringify([spec, origin, key]);
    return { get: (key: string) => values.get(at(key)) ?? "", set: (key: string, value: string) => { values.set(at(key), value); write(); } };
  },
  kept: () => kept, keep: (on: boolean) => { kept = on; write(); }, clear: () => { values.clear(); write(); },
};

export const secretField = (form: Form, shelf: Shelf, key: string, { name, note, hint = "", type = "" }: { name: string; note?: string; hint?: string; type?: string }, visible = false) => {
  const input = make("input", { type: visible ? "text" : "password", className: "try-input", autocomplete: "off", spellcheck: false, value: shelf.get(key), placeholder: hint });
  input.addEventListener("input", () => shelf.set(key, input.value));
  const eye = iconButton("eye", "Show", () => { const on = input.type === "password"; input.type = on ? "text" : "password"; eye.setAttribute("aria-pressed", String(on)); });
  eye.setAttribute("aria-pressed", "false");
  return labelled(form, { name, type, note }, { element: make("div", { className: "try-secret" }, input, ...visible ? [] : [eye]), input, get: () => input.value.trim() }, () => []);
};

export const basicOf = (user: string, password: string) => "Basic " + base64(utf8(user + ":" + password));

// schemeControl creates the fields of a scheme. Its parts are the credentials of the request; empty ones are omitted. Without reveal,
// they contain a mask or a placeholder, as shown in samples.
const TITLES: Record<string, string> = {
  bearer: "Bearer token", basic: "Basic authentication", oauth2: "OAuth 2.0", openIdConnect: "OpenID Connect", http: "Authorization", mutualTLS: "Client certificate",
};
const schemeControl = (form: Form, scheme: Scheme, { spec, origin, ask }: Place): SchemeControl => {
  const shelf = safe.shelf(spec, origin);
  const key = scheme.key || scheme.name || scheme.type;
  const title = TITLES[scheme.type] || "API key";
  const box = (...fields: (HTMLElement | { element: HTMLElement })[]) => groupBox({ name: title, type: scheme.type === "apiKey" ? (scheme.in || "header") + " · " + scheme.name : key !== title ? key : "", note: scheme.description }, fields.map((f) => "element" in f ? f.element : f));
  const shown = (value: string, reveal: boolean, hint: string) => value ? reveal ? value : MASK : reveal ? "" : hint;
  const bearer = (token: () => string) => (reveal: boolean): Proof[] => {
    const value = shown(token(), reveal, "<token>");
    const prefix = scheme.prefix ?? "Bearer ";
    return value ? [{ in: "header", name: scheme.name || "Authorization", value: value.toLowerCase().startsWith(prefix.toLowerCase().trim() + " ") ? value : prefix + value }] : [];
  };
  switch (scheme.type) {
    case "basic": {
      const user = secretField(form, shelf, key + ".user", { name: "User name" }, true), password = secretField(form, shelf, key + ".password", { name: "Password" });
      const value = () => user.get() || password.get() ? basicOf(user.get(), password.get()) : "";
      return { element: box(user, password), parts: (reveal: boolean) => { const v = value(); return v || !reveal ? [{ in: "header", name: "Authorization", value: reveal ? v : "Basic <credentials>" }] : []; } };
    }
    case "apiKey": {
      const field = secretField(form, shelf, key, { name: scheme.name || "Key", hint: scheme.default || "" });
      return { element: box(field), parts: (reveal: boolean) => {
        const value = shown(field.get(), reveal, scheme.default || "<api-key>");
        return value ? [{ in: scheme.in || "header", name: scheme.name || "x-api-key", value: (scheme.prefix || "") + value }] : [];
      } };
    }
    case "oauth2": {
      const flow = oauthControl(form, key, scheme, { spec, origin, ask });
      return { element: box(flow), parts: bearer(flow.token) };
    }
    case "http": {
      const field = secretField(form, shelf, key, { name: "Authorization", note: "The complete value of the header." });
      return { element: box(field), parts: (reveal: boolean) => { const v = shown(field.get(), reveal, "<credentials>"); return v ? [{ in: "header", name: scheme.name || "Authorization", value: v }] : []; } };
    }
    case "mutualTLS": return { element: box(make("p", { className: "try-note" }, "The browser sends its own certificate if the API is called without the proxy.")), parts: () => [] };
  }
  const field = secretField(form, shelf, key, { name: "Token", hint: scheme.default || "", note: scheme.type === "openIdConnect" ? "Sign in with the provider and paste the token." : "" });
  return { element: box(field), parts: bearer(field.get) };
};

// authControl lets the reader select one of the API's authentication methods. origin returns the current origin of requests; follow must be
// called when it may have changed.
export const authControl = (form: Form, plan: Plan, origin: () => string, ask: Ask) => {
  const ways = (plan.security || []).filter((way) => way.length);
  if (!ways.length) return null;
  const names = ways.map((way) => way.map((s) => s.key || s.name || s.type).join(" + "));
  const optional = plan.optional || ways.length < (plan.security || []).length;
  const pick = make("select", { className: "try-input", id: form.id() }, ...names.map((name, i) => make("option", { value: String(i) }, name)), ...optional ? [make("option", { value: "-1" }, "None")] : []);
  const place = make("div", { className: "try-fields" });
  let schemes: SchemeControl[] = [], at = "";
  const show = () => {
    at = origin();
    schemes = (ways[Number(pick.value)] || []).map((s) => schemeControl(form, s, { spec: plan.spec || "", origin: at, ask }));
    place.replaceChildren(...schemes.map((s) => s.element));
  };
  pick.addEventListener("change", () => { show(); form.changed(); });
  show();
  const keep: HTMLInputElement = make("input", { type: "checkbox", checked: safe.kept(), onchange: () => safe.keep(keep.checked) });
  const forget = textButton("", "Forget", () => { safe.clear(); show(); form.changed(); }, "try-forget");
  const choose = ways.length + (optional ? 1 : 0) > 1 ? [make("label", { className: "try-unseen", htmlFor: pick.id }, "How to authorize"), pick] : [];
  return {
    element: make("div", { className: "try-fields" }, ...choose, place, make("div", { className: "try-line" }, make("label", { className: "try-check" }, keep, "Remember in this tab"), forget)),
    follow: () => { if (origin() !== at) show(); },
    parts: (reveal: boolean) => schemes.flatMap((s) => s.parts(reveal)),
  };
};
