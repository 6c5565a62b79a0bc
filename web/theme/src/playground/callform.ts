// The fields of a call: its server and its parameters.
import { make } from "../page/page";
import { serverURL } from "./call";
import { control } from "./compound";
import { choice, textInput } from "./control";
import { labelled, plainNote } from "./field";
import type { Control, Form, Problem } from "./field";
import type { Entry } from "./history";
import { fromPlain, readJSON } from "./json";
import type { Value } from "./json";
import type { Parameter, Plan, Server, Variable } from "./plan";

export const PLACES: [place: string, title: string][] = [["path", "Path parameters"], ["query", "Query parameters"], ["header", "Headers"], ["cookie", "Cookies"]];

export interface ServerControl {
  element: HTMLElement | null; // null = no choice
  url: () => string;
  check: () => Problem[];
  save: () => { server: number; variables: Record<string, string> };
}

// serverControl lets the reader select a server and the values of its variables.
export const serverControl = (form: Form, servers: Server[], saved: Entry | null): ServerControl => {
  const pick = make("select", { className: "try-input", id: form.id() }, ...servers.map((s, i) => make("option", { value: String(i) }, s.url + (s.description ? " — " + plainNote(s.description) : ""))));
  const place = make("div", { className: "try-fields" });
  let variables: [string, Control][] = [];
  const variableField = (v: Variable, current: string) =>
    labelled(form, { name: v.name, note: v.description }, v.enum?.length ? choice(v.enum, current, false) : textInput(current), (value) => value ? [] : ["is required"]);
  const show = (values: Record<string, string> = {}) => {
    variables = (servers[Number(pick.value)].variables || []).map((v) => [v.name, variableField(v, values[v.name] ?? v.default ?? v.enum?.[0] ?? "")]);
    place.replaceChildren(...variables.map(([, f]) => f.element));
  };
  if (saved && servers[saved.server]) pick.value = String(saved.server);
  show(saved?.variables);
  pick.addEventListener("change", () => { show(); form.changed(); });
  const values = () => Object.fromEntries(variables.map(([name, f]) => [name, String(f.get() ?? "")]));
  const alone = servers.length === 1 && !(servers[0].variables || []).length;
  return {
    element: alone ? null : make("div", { className: "try-fields" }, ...servers.length > 1 ? [make("label", { className: "try-unseen", htmlFor: pick.id }, "Server"), pick] : [make("code", { className: "try-server" }, servers[0].url)], place),
    url: () => serverURL(servers[Number(pick.value)], values()),
    check: () => variables.flatMap(([, f]) => f.check()),
    save: () => ({ server: Number(pick.value), variables: values() }),
  };
};

export interface ParameterControl extends Control { p: Parameter; key: string }

// parameterControls creates the fields of the parameters.
export const parameterControls = (form: Form, plan: Plan, saved?: Record<string, string>): ParameterControl[] => (plan.parameters || []).map((p) => {
  const key = p.in + " " + p.name;
  const start = p.example !== undefined ? fromPlain(p.example) : form.book.start(p.schema);
  const value = saved ? saved[key] === undefined ? undefined : readJSON(saved[key]) : p.required ? start : undefined;
  const required = p.required || p.in === "path";
  const c = control(form, p.schema, value, { name: p.name, required, deprecated: p.deprecated, note: p.description });
  const hint = !p.required && p.example !== undefined && typeof p.example !== "object";
  if (hint && c.input && "placeholder" in c.input) c.input.placeholder = String(p.example);
  const empty = (v: Value | undefined) => v === "" || !required && (Array.isArray(v) && !v.length || v instanceof Map && !v.size);
  return { p, key, get: () => { const v = c.get(); return empty(v) ? undefined : v; }, check: c.check, element: c.element };
});
