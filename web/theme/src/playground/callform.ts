// @ts-nocheck
// The fields of a call: its server and its parameters.
import { make } from "../page/page";
import { serverURL } from "./call";
import { control } from "./compound";
import { choice, textInput } from "./control";
import { labelled, plainNote } from "./field";
import { fromPlain, readJSON } from "./json";

export const PLACES = [["path", "Path parameters"], ["query", "Query parameters"], ["header", "Headers"], ["cookie", "Cookies"]];

// serverControl chooses a server and the values of its variables.
export const serverControl = (form, servers, saved) => {
  const pick = make("select", { className: "try-input", id: form.id() }, ...servers.map((s, i) => make("option", { value: String(i) }, s.url + (s.description ? " — " + plainNote(s.description) : ""))));
  const place = make("div", { className: "try-fields" });
  let variables = [];
  const show = (values = {}) => {
    variables = (servers[Number(pick.value)].variables || []).map((v) => {
      const current = values[v.name] ?? v.default ?? v.enum?.[0] ?? "";
      const c = v.enum?.length ? choice(v.enum, current, false) : (() => { const t = textInput(current); t.get = () => t.input.value; return t; })();
      return [v.name, labelled(form, { name: v.name, note: v.description }, c, (value) => value ? [] : ["is required"])];
    });
    place.replaceChildren(...variables.map(([, f]) => f.element));
  };
  if (saved && servers[saved.server]) pick.value = String(saved.server);
  show(saved?.variables);
  pick.addEventListener("change", () => { show(); form.changed(); });
  const values = () => Object.fromEntries(variables.map(([name, f]) => [name, f.get()]));
  const alone = servers.length === 1 && !(servers[0].variables || []).length;
  return {
    element: alone ? null : make("div", { className: "try-fields" }, ...servers.length > 1 ? [make("label", { className: "try-unseen", htmlFor: pick.id }, "Server"), pick] : [make("code", { className: "try-server" }, servers[0].url)], place),
    url: () => serverURL(servers[Number(pick.value)], values()),
    check: () => variables.flatMap(([, f]) => f.check()),
    save: () => ({ server: Number(pick.value), variables: values() }),
  };
};

// parameterControls are the fields of the parameters, by place.
export const parameterControls = (form, plan, saved) => (plan.parameters || []).map((p) => {
  const key = p.in + " " + p.name;
  const start = p.example !== undefined ? fromPlain(p.example) : form.book.start(p.schema);
  const value = saved ? saved[key] === undefined ? undefined : readJSON(saved[key]) : p.required ? start : undefined;
  const required = p.required || p.in === "path";
  const c = control(form, p.schema, value, { name: p.name, required, deprecated: p.deprecated, note: p.description });
  const hint = !p.required && p.example !== undefined && c.input && "placeholder" in c.input && typeof p.example !== "object";
  if (hint) c.input.placeholder = String(p.example);
  return { p, key, get: () => { const v = c.get(); return v === "" || Array.isArray(v) && !v.length && !required || v instanceof Map && !v.size && !required ? undefined : v; }, check: c.check, element: c.element };
});
