// Compares the requests of code host drivers, and the responses of the hosts' fakes, with types generated from the
// descriptions that the vendors publish. It prints one line for each difference, and a last line that states what was
// compared. Arguments: a folder with recorded exchanges, and a folder for the program that TypeScript checks.
//
// A request must be complete and have no field or parameter that the description lacks. A fake's response contains less
// than a real host's, so fields may be missing there. The fields that it has must be described, with the same types.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const [from, scratch] = process.argv.slice(2);
const modules = resolve(import.meta.dirname, "node_modules");
const bitbucket = "@coderabbitai/bitbucket/dist/";
const hosts = {
  github: { file: "@octokit/openapi-types/types.d.ts", path: (p) => p.replace(/^\/api\/v3/, "") },
  bitbucket: {
    file: bitbucket + "cloud/openapi/openapi-typescript.d.ts", path: (p) => p.replace(/^\/2\.0/, ""),
    // The name of the object's kind: for an object derived from another one, the types have only the other's name.
    edit: (text) => text.replace(/\btype: "\w+";/g, "type?: string;").replace(/\btype: string;/g, "type?: string;"),
  },
  "bitbucket-dc": {
    file: bitbucket + "server/openapi/openapi-typescript.d.ts", path: (p) => p.replace(/^\/rest/, "").replace("/1.0/", "/latest/"),
    edit: (text) => text,
  },
};

// gaps lists fields that the descriptions omit although the documentation for people has them. A listed field that is
// described after all is reported as a difference, too.
const gaps = [
  [/^github: GET \/app 200: response: .*"pull_requests"/, "the permissions with a name are examples: any other is allowed as well"],
  [/^bitbucket: .*response: .*'"type"' does not exist/, "every object names its kind, those whose schema is written in place too"],
  [/^bitbucket: .*response: .*'"account_id"' does not exist/, "people are described as accounts, and come as users, which are accounts with more fields"],
  [/^bitbucket: (POST|PUT) .*\/pullrequests[^:]*: request: .*'"description"' does not exist/, "the examples of the operations have it"],
  [/^bitbucket: (POST|PUT) .*\/hooks[^:]*: request: .*'never'/, "the body is described in words"],
  [/^bitbucket: POST .*\/issues\/\{issue_id\}\/comments 201: response: .*'never'/, "described without a body"],
  [/^bitbucket-dc: .*\/pull-requests[^:]*: response: .*'"author"' does not exist/, "the examples of the operations have it"],
  [/^bitbucket-dc: .*\/activities 200: response: .*'"comment"' does not exist/, "only what all kinds of activity share is described"],
  [/^bitbucket-dc: POST .*\/webhooks 201: response: .*'never'/, "described for status 200"],
  [/^bitbucket-dc: PUT .*\/webhooks\/\{webhookId\} 200: response: .*'"id"' does not exist/, "the examples of the operations have it"],
].map(([line, why]) => ({ line, why, used: false }));

// templates lists a description's paths, those with the fewest parameters first.
function templates(file) {
  const text = readFileSync(join(modules, file), "utf8");
  const block = text.slice(text.indexOf("export interface paths {"));
  const list = [...block.slice(0, block.indexOf("\n}\n")).matchAll(/^ {2,4}(?:readonly )?"(\/[^"]*)": \{/gm)].map((m) => m[1]);
  return list
    .map((path) => ({ path, match: new RegExp("^" + path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, "[^/]+") + "$") }))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);
}

// Exchanges that differ only in numbers and free text are compared once: only the fields, and strings that may be
// enumeration values, distinguish exchanges.
const outline = (value) => JSON.stringify(value, (_, v) =>
  (typeof v === "number" ? 0 : typeof v === "string" && !/^[A-Za-z_.:-]{1,40}$/.test(v) ? "" : Array.isArray(v) ? shorten(v) : v));
// shorten omits list elements that differ from an earlier one only in numbers and free text.
function shorten(list) {
  const had = new Set();
  return list.filter((v) => { const key = outline(v); return !had.has(key) && had.add(key); });
}
const shortened = (value) => (Array.isArray(value) ? shorten(value).map(shortened)
  : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shortened(v)])) : value);
const literal = (value) => JSON.stringify(value, null, 1) ?? "undefined";

function queryOf(search) {
  const out = {};
  for (const [name, value] of new URLSearchParams(search)) out[name] = /^\d{1,9}$/.test(value) ? Number(value) : /^(true|false)$/.test(value) ? value === "true" : value;
  return out;
}

const checks = []; // one line of the program each, with the message for it
const undescribed = new Set(), seen = new Set(), operations = new Set();
let exchanges = 0;
for (const name of readdirSync(from).sort()) {
  for (const line of readFileSync(join(from, name), "utf8").split("\n").filter(Boolean)) {
    const e = JSON.parse(line), host = hosts[e.host];
    if (!host) continue;
    host.templates ??= templates(host.file);
    const [path, search] = e.address.split("?"), method = e.method.toLowerCase();
    if (e.status >= 400 || path.endsWith("/graphql")) continue; // an error response says nothing about what the host accepts
    exchanges++;
    const place = host.templates.find((t) => t.match.test(host.path(path)));
    const where = `${e.host}: ${e.method} ${place?.path ?? path} ${e.status}`;
    if (!place) { undescribed.add(`${where}: the description has no such path`); continue; }
    operations.add(`${e.host} ${method} ${place.path}`);
    const add = (part, type, value) => {
      const key = `${where} ${part} ${outline(value)}`;
      if (seen.has(key)) return;
      seen.add(key);
      checks.push({ where: `${where}: ${part}`, value: shortened(value), type: `${type}<${e.host === "bitbucket-dc" ? "center" : e.host}, ${JSON.stringify(place.path)}, ${JSON.stringify(method)}` });
    };
    if (search) add("query", "Query", queryOf(search));
    if (e.request !== undefined) add("request", "Request", e.request);
    if (e.response !== undefined) add("response", `Response_${e.status}`, e.response);
  }
}

// Known removes index signatures, by which descriptions allow any other field, so that only named fields are accepted.
const types = `
import type { paths as github } from "./github.d.ts";
import type { paths as bitbucket } from "./bitbucket.d.ts";
import type { paths as center } from "./bitbucket-dc.d.ts";
type Lists = { page?: number | string; pagelen?: number; q?: string; sort?: string; limit?: number; start?: number }; // described once for all operations

type Plain = string | number | boolean | null | undefined;
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] };
type Known<T> = unknown extends T ? T : T extends Plain ? T : T extends readonly (infer E)[] ? Known<E>[] : keyof Named<T> extends never ? T : { -readonly [K in keyof Named<T>]: Known<Named<T>[K]> };
type Part<T> = unknown extends T ? T : T extends Plain ? T : T extends readonly (infer E)[] ? Part<E>[] : keyof Named<T> extends never ? T : { -readonly [K in keyof Named<T>]?: Part<Named<T>[K]> | null };
type Body<C> = C extends { readonly content: infer T } ? ("application/json" extends keyof T ? T["application/json"] : "*/*" extends keyof T ? T["*/*"] : never) : never;
type Op<A, P, M> = P extends keyof A ? (M extends keyof A[P] ? A[P][M] : never) : never;
type Query<A, P, M> = (Op<A, P, M> extends { readonly parameters: { readonly query?: infer Q } } ? (NonNullable<Q> extends never ? {} : Known<NonNullable<Q>>) : never) & (A extends github ? {} : Lists);
type Request<A, P, M> = Op<A, P, M> extends { readonly requestBody?: infer B } ? Known<Body<NonNullable<B>>> : never;
type Answer<A, P, M, S> = Op<A, P, M> extends { readonly responses: infer R } ? (S extends keyof R ? Part<Body<R[S]>> : never) : never;
`;
let program = types;
for (const status of new Set(checks.flatMap((c) => c.type.match(/^Response_(\d+)/)?.[1] ?? []))) program += `type Response_${status}<A, P, M> = Answer<A, P, M, ${status}>;\n`;
const starts = [];
checks.forEach((c, i) => {
  starts.push(program.split("\n").length);
  program += `export const c${i}: ${c.type}> = ${literal(c.value)};\n`;
});
mkdirSync(scratch, { recursive: true });
// Omit loses the names of fields if there is also an index signature.
const omit = "\ntype OmitNamed<T, N> = { [K in keyof T as string extends K ? never : K extends N ? never : K]: T[K] };\n";
for (const [name, host] of Object.entries(hosts)) {
  const text = readFileSync(join(modules, host.file), "utf8");
  writeFileSync(join(scratch, `${name}.d.ts`), host.edit ? host.edit(text).replaceAll("Omit<", "OmitNamed<") + omit : text);
}
writeFileSync(join(scratch, "exchanges.ts"), program);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript")), "tsc.js");
let said = "";
try {
  execFileSync(process.execPath, [tsc, "--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--target", "esnext", "--module", "nodenext", "--pretty", "false", "exchanges.ts"], { cwd: scratch, encoding: "utf8" });
} catch (err) {
  said = err.stdout || err.stderr || String(err);
}
const found = [...undescribed];
for (const line of said.split("\n").filter((l) => l && !l.startsWith(" "))) {
  const m = line.match(/^exchanges\.ts\((\d+),\d+\): error \w+: (.*)$/);
  const check = m && checks[starts.findLastIndex((at) => at <= Number(m[1]))];
  found.push(check ? `${check.where}: ${m[2].slice(0, 400)}\n    ${program.split("\n")[Number(m[1]) - 1].trim().slice(0, 200)}` : line);
}
const left = [...new Set(found)].filter((line) => {
  const gap = gaps.find((g) => g.line.test(line));
  if (gap) gap.used = true;
  return !gap;
});
for (const gap of gaps.filter((g) => !g.used)) left.push(`not a gap any more: ${gap.line}`);
for (const line of left) console.log(line);
console.log(`${exchanges} exchanges, ${operations.size} operations, ${checks.length} bodies and queries, ${gaps.length} known gaps`);
process.exit(left.length ? 1 : 0);
