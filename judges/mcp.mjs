// Uses a site's MCP server like programs built with the protocol's own library, and prints the responses as JSON.
// Arguments: the server's address, or "stdio" and the command that starts it.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [where, command, ...args] = process.argv.slice(2);
const transport = where === "stdio"
  ? new StdioClientTransport({ command, args, stderr: "ignore" })
  : new StreamableHTTPClientTransport(new URL(where));
const client = new Client({ name: "judge", version: "1.0.0" });
await client.connect(transport);
await client.ping();

const { tools } = await client.listTools();
const found = await client.callTool({ name: "search_docs", arguments: { query: "thruster" } });
const page = await client.callTool({ name: "read_page", arguments: { path: "/guides/start" } });
const missing = await client.callTool({ name: "read_page", arguments: { path: "/gone" } });

const resources = [];
for (let cursor; ;) {
  const part = await client.listResources(cursor ? { cursor } : undefined);
  resources.push(...part.resources.map((r) => r.uri));
  if (!(cursor = part.nextCursor)) break;
}
const { resourceTemplates } = await client.listResourceTemplates();
const texts = {};
const every = Number(process.env.READ_EVERY);
for (const [i, uri] of resources.entries()) {
  if (i % every !== 0 && i !== resources.length - 1 && uri !== "docs:///llms.txt" && uri !== "docs:///parts/p519") continue;
  texts[uri] = (await client.readResource({ uri })).contents[0].text.length;
}

const { prompts } = await client.listPrompts();
const asked = await client.getPrompt({ name: "ask_docs", arguments: { question: "How do I fix the thruster?" } });
const explained = await client.getPrompt({ name: "explain_page", arguments: { path: "/guides/start" } });
const { completion } = await client.complete({
  ref: { type: "ref/resource", uri: resourceTemplates[0].uriTemplate }, argument: { name: "path", value: "gui" },
});
const refused = await client.complete({ ref: { type: "ref/prompt", name: "none" }, argument: { name: "x", value: "" } })
  .then(() => "", (e) => String(e.code));

console.log(JSON.stringify({
  server: client.getServerVersion().title,
  tools: tools.map((t) => t.name),
  found: found.content[0].text,
  page: page.content[0].text,
  missing: missing.isError === true,
  resources: resources.length,
  texts,
  prompts: prompts.map((p) => p.name),
  asked: asked.messages[0].content.text,
  explained: explained.messages[1].content.resource.text,
  completions: completion.values,
  refused,
}));
await client.close();
