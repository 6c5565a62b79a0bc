// Proposes edits through the server's MCP endpoint like programs built with the protocol's own library, and prints the
// responses as JSON. Arguments: the endpoint's address, a key, a project.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [where, key, project] = process.argv.slice(2);
const connect = async (token) => {
  const headers = token ? { Authorization: "Bearer " + token } : {};
  const client = new Client({ name: "judge", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers } }));
  return client;
};
const strangers = [];
for (const token of ["", "lk_wrong"]) strangers.push(await connect(token).then(() => "let in", (e) => String(e.code ?? e)));

const client = await connect(key);
const call = async (name, args) => {
  const got = await client.callTool({ name, arguments: args });
  return { text: got.content[0].text, failed: got.isError === true };
};
const { tools } = await client.listTools();
const projects = await call("list_projects", {});
const files = await call("list_files", { project });
const page = await call("read_file", { project, path: "guides/first-cup.mdx" });
const missing = await call("read_file", { project, path: "../secret" });
const line = page.text.split("\n").find((l) => l.startsWith("title: "));
const changes = [{ path: "guides/first-cup.mdx", old: line, new: line + " of tea" }];
const dry = await call("propose_edit", { project, title: "Say hello", reason: "Readers like it.", dryRun: true, changes });
const dryRefused = await call("propose_edit", { project, title: "Run it", reason: "For the build.", dryRun: true,
  changes: [{ path: ".github/workflows/x.yml", text: "on: push\n" }] });
const good = await call("propose_edit", { project, title: "Say hello", reason: "Readers like it.", changes });
const job = /aj_\w+/.exec(good.text)?.[0] ?? "";
const more = await call("propose_edit", { project, job, title: "Add a page", reason: "It was missing.",
  changes: [{ path: "hello.mdx", text: "---\ntitle: Hello\n---\n\nHello.\n" }] });
const state = await call("get_edit", { project, job });
const refused = await call("propose_edit", { project, title: "Run it", reason: "For the build.",
  changes: [{ path: ".github/workflows/x.yml", text: "on: push\n" }] });
const broken = await call("propose_edit", { project, title: "Link", reason: "A link.",
  changes: [{ path: "hello.mdx", text: "---\ntitle: Hello\n---\n\n[x](/nowhere-at-all)\n" }] });

console.log(JSON.stringify({ strangers, tools: tools.map((t) => t.name), projects, files, missing, line, dry, dryRefused, good, more, state, refused, broken, job }));
await client.close();
