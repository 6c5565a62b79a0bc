// A call is made of what the form holds: an address, headers, cookies, a body.
const PLACES = [["path", "Path parameters"], ["query", "Query parameters"], ["header", "Headers"], ["cookie", "Cookies"]];

const serverURL = (server, values) => server.url.replace(/\{([^{}]+)\}/g, (mark, name) => values[name] ?? mark).replace(/\/+$/, "");

// originOf is where an address leads to; the address itself when it is none.
const originOf = (url) => { try { return new URL(url, document.baseURI).origin; } catch { return url; } };

// serverControl chooses a server and the values of its variables.
const serverControl = (form, servers, saved) => {
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
const parameterControls = (form, plan, saved) => (plan.parameters || []).map((p) => {
  const key = p.in + " " + p.name;
  const start = p.example !== undefined ? fromPlain(p.example) : form.book.start(p.schema);
  const value = saved ? saved[key] === undefined ? undefined : readJSON(saved[key]) : p.required ? start : undefined;
  const required = p.required || p.in === "path";
  const c = control(form, p.schema, value, { name: p.name, required, deprecated: p.deprecated, note: p.description });
  const hint = !p.required && p.example !== undefined && c.input && "placeholder" in c.input && typeof p.example !== "object";
  if (hint) c.input.placeholder = String(p.example);
  return { p, key, get: () => { const v = c.get(); return v === "" || Array.isArray(v) && !v.length && !required || v instanceof Map && !v.size && !required ? undefined : v; }, check: c.check, element: c.element };
});

// dots counts the parts of a path that browsers and servers fold away, written as they are or encoded.
const dots = (path) => path.split("/").filter((part) => /^(\.|%2e){1,2}$/i.test(part)).length;

// makeCall writes the parts of a form into a call. Proof comes as parts; missing path parameters stay as {name}. A call whose values would lead
// to another path is marked as folded: it is shown, and never sent.
const makeCall = (plan, { server, parameters, proof, body }) => {
  let path = plan.path;
  const query = [], headers = [], cookies = [];
  for (const part of proof) {
    if (part.in === "query") query.push(encodeStrict(part.name) + "=" + (part.value === MASK || /^<.*>$/.test(part.value) ? part.value : encodeStrict(part.value)));
    else if (part.in === "cookie") cookies.push(encodeStrict(part.name) + "=" + (/[^\x21-\x7e]|[;,\s"\\]/.test(part.value) && part.value !== MASK ? encodeStrict(part.value) : part.value));
    else headers.push([part.name, part.value]);
  }
  for (const { p, get } of parameters) {
    const value = get();
    if (value === undefined) continue;
    if (p.in === "path") path = path.replaceAll("{" + p.name + "}", () => inPath(p, value));
    if (p.in === "query") query.push(...inQuery(p, value));
    if (p.in === "header") headers.push([p.name, inHeader(p, value)]);
    if (p.in === "cookie") cookies.push(...inCookie(p, value));
  }
  const address = server + path;
  const url = query.length ? address + (address.includes("?") ? "&" : "?") + query.join("&") : address;
  return { method: plan.method, url, headers, cookies, body, folded: dots(path) > dots(plan.path) };
};

// sampleOfCall is a call as samples write it.
const sampleOfCall = (call) => {
  const b = call.body;
  const ready = b.kind === "form" && b.fields.some((f) => f.ready); // languages would encode it in their own way
  const body = ready ? { kind: "text", type: b.type, text: wireBody(b).data, fields: [] } : { kind: b.kind, type: b.type || "", text: b.text || "", value: b.value, fields: (b.fields || []).map((f) => ({ name: f.name, value: f.value, file: !!f.file })) };
  const headers = call.headers.map(([name, value]) => ({ name, value }));
  if (call.cookies.length) headers.push({ name: "Cookie", value: call.cookies.join("; ") });
  return { method: call.method, url: call.url, headers, body };
};
