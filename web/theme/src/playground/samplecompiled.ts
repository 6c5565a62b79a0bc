// The compiled languages.
import { SAMPLE_FILE, Source, dollar, double, joined, oneLine, sampleHeaders, textual } from "./samplequote";
import type { SampleRequest } from "./samplequote";

export const sampleGo = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("package main\n\nimport (");
  for (const p of ["fmt", "io", "net/http", ...payload ? ["strings"] : []]) s.line("\t", double(p));
  s.line(")\n\nfunc main() {");
  if (payload) s.line("\tpayload := strings.NewReader(", /[`\r]/.test(payload) ? double(payload) : "`" + payload + "`", ")");
  if (note) s.line("\t// The body is ", oneLine(note), ".");
  s.line("\treq, err := http.NewRequest(", double(r.method), ", ", double(r.url), ", ", payload ? "payload" : "nil", ")");
  const check = "\tif err != nil {\n\t\tpanic(err)\n\t}";
  s.line(check);
  for (const h of sampleHeaders(r)) s.line("\treq.Header.Set(", double(h.name), ", ", double(h.value), ")");
  s.line("\tres, err := http.DefaultClient.Do(req)\n", check);
  s.line("\tdefer res.Body.Close()\n\tbody, err := io.ReadAll(res.Body)\n", check);
  s.line("\tfmt.Println(res.Status, string(body))\n}");
  return s.text;
};

const NO_BODY = "HttpRequest.BodyPublishers.noBody()";

export const sampleJava = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  if (note) s.line("// The body is ", oneLine(note), ".");
  s.line("HttpRequest request = HttpRequest.newBuilder()");
  s.line("    .uri(URI.create(", double(r.url), "))");
  for (const h of sampleHeaders(r)) s.line("    .header(", double(h.name), ", ", double(h.value), ")");
  s.line("    .method(", double(r.method), ", ", payload ? "HttpRequest.BodyPublishers.ofString(" + joined(payload, double, " +\n        ") + ")" : NO_BODY, ")");
  s.line("    .build();\n\nHttpResponse<String> response = HttpClient.newHttpClient()");
  s.line("    .send(request, HttpResponse.BodyHandlers.ofString());\nSystem.out.println(response.body());");
  return s.text;
};

export const sampleKotlin = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("import java.net.URI\nimport java.net.http.HttpClient\nimport java.net.http.HttpRequest\nimport java.net.http.HttpResponse\n");
  if (note) s.line("// The body is ", oneLine(note), ".");
  s.line("val request = HttpRequest.newBuilder()");
  s.line("    .uri(URI.create(", dollar(r.url), "))");
  for (const h of sampleHeaders(r)) s.line("    .header(", dollar(h.name), ", ", dollar(h.value), ")");
  s.line("    .method(", dollar(r.method), ", ", payload ? "HttpRequest.BodyPublishers.ofString(\n        " + joined(payload, dollar, " +\n        ") + "\n    )" : NO_BODY, ")");
  s.line("    .build()\n\nval response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())\nprintln(response.body())");
  return s.text;
};

export const sampleCsharp = (r: SampleRequest) => {
  const s = new Source(), b = r.body;
  const { payload, note } = textual(b);
  s.line("using System.Net.Http;\nusing System.Text;\n\nusing var client = new HttpClient();");
  s.line("using var request = new HttpRequestMessage(new HttpMethod(", double(r.method), "), ", double(r.url), ");");
  for (const h of r.headers) s.line("request.Headers.TryAddWithoutValidation(", double(h.name), ", ", double(h.value), ");");
  if (b.kind === "multipart") {
    s.line("var form = new MultipartFormDataContent();");
    for (const f of b.fields) {
      if (f.file) s.line("form.Add(new StreamContent(File.OpenRead(", double(f.value), ")), ", double(f.name), ", ", double(f.value), ");");
      else s.line("form.Add(new StringContent(", double(f.value), "), ", double(f.name), ");");
    }
    s.line("request.Content = form;");
  } else if (payload) s.line("request.Content = new StringContent(", joined(payload, double, "\n    + "), ", Encoding.UTF8, ", double(b.type), ");");
  else if (note) s.line("request.Content = new StreamContent(File.OpenRead(", double(SAMPLE_FILE), "));");
  s.line("\nusing var response = await client.SendAsync(request);\nConsole.WriteLine(await response.Content.ReadAsStringAsync());");
  return s.text;
};

export const sampleSwift = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("import Foundation\n");
  s.line("var request = URLRequest(url: URL(string: ", double(r.url), ")!)");
  s.line("request.httpMethod = ", double(r.method));
  for (const h of sampleHeaders(r)) s.line("request.setValue(", double(h.value), ", forHTTPHeaderField: ", double(h.name), ")");
  if (payload) s.line("request.httpBody = (", joined(payload, double, "\n  + "), ").data(using: .utf8)");
  else if (note) s.line("// The body is ", oneLine(note), ".");
  s.line("\nlet (data, _) = try await URLSession.shared.data(for: request)\nprint(String(decoding: data, as: UTF8.self))");
  return s.text;
};

export const sampleRust = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("use reqwest::blocking::Client;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {");
  if (note) s.line("    // The body is ", oneLine(note), ".");
  s.line("    let response = Client::new()");
  s.line("        .request(", double(r.method), ".parse()?, ", double(r.url), ")");
  for (const h of sampleHeaders(r)) s.line("        .header(", double(h.name), ", ", double(h.value), ")");
  if (payload) {
    let guard = "#";
    while (payload.includes('"' + guard)) guard += "#";
    s.line("        .body(r", guard, '"', payload, '"', guard, ")");
  }
  s.line('        .send()?;\n    println!("{}", response.text()?);\n    Ok(())\n}');
  return s.text;
};

export const sampleDart = (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("import 'package:http/http.dart' as http;\n\nFuture<void> main() async {");
  s.line("  final request = http.Request(", dollar(r.method), ", Uri.parse(", dollar(r.url), "));");
  for (const h of sampleHeaders(r)) s.line("  request.headers[", dollar(h.name), "] = ", dollar(h.value), ";");
  if (payload) s.line("  request.body = ", joined(payload, dollar, "\n      "), ";");
  else if (note) s.line("  // The body is ", oneLine(note), ".");
  s.line("  final response = await http.Response.fromStream(await request.send());\n  print(response.body);\n}");
  return s.text;
};

export const sampleLibcurl = (head: string, none: string) => (r: SampleRequest) => {
  const s = new Source();
  const { payload, note } = textual(r.body);
  s.line("#include <curl/curl.h>\n\n", head, " {\n  CURL *curl = curl_easy_init();");
  s.line("  struct curl_slist *headers = ", none, ";");
  for (const h of sampleHeaders(r)) s.line("  headers = curl_slist_append(headers, ", double(h.name + ": " + h.value), ");");
  s.line("  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ", double(r.method), ");");
  s.line("  curl_easy_setopt(curl, CURLOPT_URL, ", double(r.url), ");");
  s.line("  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);");
  if (payload) s.line("  curl_easy_setopt(curl, CURLOPT_POSTFIELDS,\n    ", joined(payload, double, "\n    "), ");");
  else if (note) s.line("  /* The body is ", oneLine(note).replaceAll("*/", "* /"), ". */");
  s.line("  CURLcode result = curl_easy_perform(curl);\n  curl_slist_free_all(headers);\n  curl_easy_cleanup(curl);\n  return (int)result;\n}");
  return s.text;
};
