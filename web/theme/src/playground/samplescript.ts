// The interpreted languages: shells, Python, JavaScript, PHP, Ruby.
import { SAMPLE_FILE, Source, double, literal, powerQuote, sampleHeaders, samplePayload, shell, single } from "./samplequote";
import type { SampleBody, SampleRequest, Words } from "./samplequote";

const commaUnless = (last: boolean) => last ? "" : ",";

export const sampleCurl = (r: SampleRequest) => {
  const lines = ["curl --request " + r.method, "--url " + shell(r.url)];
  for (const h of sampleHeaders(r)) lines.push("--header " + shell(h.name + ": " + h.value));
  const b = r.body;
  if (b.kind === "json" || b.kind === "text") lines.push("--data-raw " + shell(samplePayload(b)));
  if (b.kind === "form") for (const f of b.fields) lines.push("--data-urlencode " + shell(f.name + "=" + f.value));
  if (b.kind === "multipart") for (const f of b.fields) lines.push(f.file ? "--form " + shell(f.name + "=@" + f.value) : "--form-string " + shell(f.name + "=" + f.value));
  if (b.kind === "file") lines.push("--data-binary " + shell("@" + SAMPLE_FILE));
  return lines.join(" \\\n  ");
};

const PYTHON: Words = { yes: "True", no: "False", none: "None", map: ["{", "}"], colon: ": ", quote: double };
const SCRIPT: Words = { yes: "true", no: "false", none: "null", map: ["{", "}"], colon: ": ", quote: double };
const PHP: Words = { yes: "true", no: "false", none: "null", map: ["[", "]"], colon: " => ", quote: single };
const RUBY: Words = { yes: "true", no: "false", none: "nil", map: ["{", "}"], colon: " => ", quote: single };

const pythonTable = (s: Source, name: string, rows: [name: string, value: string][]) => {
  s.line(name, " = {");
  rows.forEach(([key, value], i) => s.line("    ", double(key), ": ", value, commaUnless(i === rows.length - 1)));
  s.line("}");
};

export const samplePython = (r: SampleRequest) => {
  const s = new Source(), b = r.body;
  let args = "url";
  s.line("import requests");
  s.line();
  s.line("url = ", double(r.url));
  if (b.kind === "json" || b.kind === "text") {
    s.line();
    s.line("payload = ", b.kind === "json" ? literal(PYTHON, b.value, "", "    ") : double(b.text));
    args += b.kind === "json" ? ", json=payload" : ", data=payload";
  } else if (b.kind === "file") {
    s.line("payload = open(", double(SAMPLE_FILE), ', "rb")');
    args += ", data=payload";
  } else if (b.kind === "form" || b.kind === "multipart") {
    const files = b.fields.filter((f) => f.file), plain = b.fields.filter((f) => !f.file);
    s.line();
    if (files.length) { pythonTable(s, "files", files.map((f) => [f.name, "open(" + double(f.value) + ', "rb")'])); args += ", files=files"; }
    if (plain.length) { pythonTable(s, "payload", plain.map((f) => [f.name, double(f.value)])); args += ", data=payload"; }
  }
  const heads = b.kind === "json" ? r.headers : sampleHeaders(r);
  if (heads.length) { pythonTable(s, "headers", heads.map((h) => [h.name, double(h.value)])); args += ", headers=headers"; }
  s.line();
  s.line("response = requests.", r.method.toLowerCase(), "(", args, ")");
  s.line();
  s.line("print(response.text)");
  return s.text;
};

// scriptBody writes the statements before the call and returns the expression for the body, or "".
const scriptBody = (s: Source, b: SampleBody, file: string) => {
  switch (b.kind) {
    case "json": return "JSON.stringify(" + literal(SCRIPT, b.value, "  ", "  ") + ")";
    case "text": return double(b.text);
    case "file": return file;
    case "form": case "multipart":
      s.line("const form = ", b.kind === "form" ? "new URLSearchParams()" : "new FormData()", ";");
      for (const f of b.fields) s.line("form.append(", double(f.name), ", ", f.file ? file : double(f.value), ");");
      s.line();
      return "form";
  }
  return "";
};

const scriptOptions = (s: Source, r: SampleRequest, body: string) => {
  const heads = sampleHeaders(r);
  s.line("  method: ", double(r.method), commaUnless(!heads.length && !body));
  if (heads.length) {
    s.line("  headers: {");
    heads.forEach((h, i) => s.line("    ", double(h.name), ": ", double(h.value), commaUnless(i === heads.length - 1)));
    s.line(body ? "  }," : "  }");
  }
  if (body) s.line("  body: ", body);
};

export const sampleFetch = (type: string) => (r: SampleRequest) => {
  const s = new Source();
  const body = scriptBody(s, r.body, 'document.querySelector("input[type=file]").files[0]');
  s.line("const options", type, " = {");
  scriptOptions(s, r, body);
  s.line("};");
  s.line();
  s.line("fetch(", double(r.url), ", options)");
  s.line("  .then((response) => response.json())");
  s.line("  .then((data) => console.log(data))");
  s.line("  .catch((error) => console.error(error));");
  return s.text;
};

export const sampleNode = (r: SampleRequest) => {
  const s = new Source();
  if (r.body.kind === "file" || r.body.kind === "multipart") {
    s.line('import { openAsBlob } from "node:fs";');
    s.line();
  }
  const body = scriptBody(s, r.body, "await openAsBlob(" + double(SAMPLE_FILE) + ")");
  s.line("const response = await fetch(", double(r.url), ", {");
  scriptOptions(s, r, body);
  s.line("});");
  s.line();
  s.line("console.log(await response.json());");
  return s.text;
};

const phpForm = (b: SampleBody) => {
  const rows = b.fields.map((f) => "        " + single(f.name) + " => " + (f.file ? "new CURLFile(" + single(f.value) + ")" : single(f.value)) + ",\n");
  const array = "[\n" + rows.join("") + "    ]";
  return b.kind === "form" ? "http_build_query(" + array + ")" : array;
};

export const samplePHP = (r: SampleRequest) => {
  const s = new Source(), b = r.body;
  s.line("<?php\n\n$curl = curl_init();\n\ncurl_setopt_array($curl, [");
  s.line("    CURLOPT_URL => ", single(r.url), ",");
  s.line("    CURLOPT_RETURNTRANSFER => true,");
  s.line("    CURLOPT_CUSTOMREQUEST => ", single(r.method), ",");
  const body = b.kind === "none" ? null : {
    json: () => "json_encode(" + literal(PHP, b.value, "    ", "    ") + ")", text: () => single(b.text),
    file: () => "file_get_contents(" + single(SAMPLE_FILE) + ")", form: () => phpForm(b), multipart: () => phpForm(b),
  }[b.kind];
  if (body) s.line("    CURLOPT_POSTFIELDS => ", body(), ",");
  const heads = sampleHeaders(r);
  if (heads.length) {
    s.line("    CURLOPT_HTTPHEADER => [");
    for (const h of heads) s.line("        ", single(h.name + ": " + h.value), ",");
    s.line("    ],");
  }
  s.line("]);\n\n$response = curl_exec($curl);\ncurl_close($curl);\n\necho $response;");
  return s.text;
};

export const sampleRuby = (r: SampleRequest) => {
  const s = new Source(), b = r.body;
  s.line('require "net/http"\nrequire "json"\n');
  s.line("url = URI(", single(r.url), ")");
  s.line('http = Net::HTTP.new(url.host, url.port)\nhttp.use_ssl = url.scheme == "https"\n');
  s.line("request = Net::HTTP::", r.method.slice(0, 1).toUpperCase(), r.method.slice(1).toLowerCase(), ".new(url)");
  for (const h of sampleHeaders(r)) s.line("request[", single(h.name), "] = ", single(h.value));
  if (b.kind === "json") s.line("request.body = JSON.generate(", literal(RUBY, b.value, "", "  "), ")");
  if (b.kind === "text") s.line("request.body = ", single(b.text));
  if (b.kind === "file") s.line("request.body = File.binread(", single(SAMPLE_FILE), ")");
  if (b.kind === "form" || b.kind === "multipart") {
    s.line("request.set_form([");
    for (const f of b.fields) s.line("  [", single(f.name), ", ", f.file ? "File.open(" + single(f.value) + ")" : single(f.value), "],");
    s.line("], ", single(b.type), ")");
  }
  s.line("\nresponse = http.request(request)\nputs response.read_body");
  return s.text;
};

export const samplePowershell = (r: SampleRequest) => {
  const s = new Source(), b = r.body;
  const args = ["-Uri " + powerQuote(r.url), "-Method " + r.method];
  if (r.headers.length) {
    s.line("$headers = @{");
    for (const h of r.headers) s.line("  ", powerQuote(h.name), " = ", powerQuote(h.value));
    s.line("}");
    args.push("-Headers $headers");
  }
  if (b.kind === "json" || b.kind === "text") {
    s.line("$body = ", powerQuote(samplePayload(b)));
    args.push("-ContentType " + powerQuote(b.type), "-Body $body");
  } else if (b.kind === "file") args.push("-ContentType " + powerQuote(b.type), "-InFile " + powerQuote(SAMPLE_FILE));
  else if (b.kind === "form" || b.kind === "multipart") {
    s.line("$form = @{");
    for (const f of b.fields) s.line("  ", powerQuote(f.name), " = ", (f.file ? "Get-Item " : "") + powerQuote(f.value));
    s.line("}");
    args.push(b.kind === "form" ? "-Body $form" : "-Form $form");
  }
  s.line("Invoke-RestMethod ", args.join(" `\n  "));
  return s.text;
};
