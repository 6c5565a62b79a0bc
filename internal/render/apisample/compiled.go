package apisample

import "strings"

// This file contains the generators for compiled languages.

// textual converts bodies that these samples cannot build themselves to text: forms are encoded, multipart bodies
// become a note.
func textual(b Body) (payload, note string) {
	switch b.Kind {
	case Multipart:
		var parts []string
		for _, f := range b.Fields {
			parts = append(parts, f.Name)
		}
		return "", "multipart/form-data with the fields " + strings.Join(parts, ", ")
	case File:
		return "", "the content of a file"
	}
	return b.payload(), ""
}

// oneLine puts a note on one line, so that it stays inside its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func golang(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line("package main")
	s.line()
	s.line("import (")
	for _, p := range []string{"fmt", "io", "net/http"} {
		s.line("\t", double(p))
	}
	if payload != "" {
		s.line("\t", double("strings"))
	}
	s.line(")")
	s.line()
	s.line("func main() {")
	body := "nil"
	if payload != "" {
		literal := double(payload)
		if !strings.ContainsAny(payload, "`\r") {
			literal = "`" + payload + "`"
		}
		s.line("\tpayload := strings.NewReader(", literal, ")")
		body = "payload"
	}
	if note != "" {
		s.line("\t// The body is ", oneLine(note), ".")
	}
	s.line("\treq, err := http.NewRequest(", double(r.Method), ", ", double(r.URL), ", ", body, ")")
	s.line("\tif err != nil {\n\t\tpanic(err)\n\t}")
	for _, h := range r.headers() {
		s.line("\treq.Header.Set(", double(h.Name), ", ", double(h.Value), ")")
	}
	s.line("\tres, err := http.DefaultClient.Do(req)")
	s.line("\tif err != nil {\n\t\tpanic(err)\n\t}")
	s.line("\tdefer res.Body.Close()")
	s.line("\tbody, err := io.ReadAll(res.Body)")
	s.line("\tif err != nil {\n\t\tpanic(err)\n\t}")
	s.line("\tfmt.Println(res.Status, string(body))")
	s.line("}")
	return s.b.String()
}

func java(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	publisher := "HttpRequest.BodyPublishers.noBody()"
	if payload != "" {
		publisher = "HttpRequest.BodyPublishers.ofString(" + joined(payload, double, " +\n        ") + ")"
	}
	if note != "" {
		s.line("// The body is ", oneLine(note), ".")
	}
	s.line("HttpRequest request = HttpRequest.newBuilder()")
	s.line("    .uri(URI.create(", double(r.URL), "))")
	for _, h := range r.headers() {
		s.line("    .header(", double(h.Name), ", ", double(h.Value), ")")
	}
	s.line("    .method(", double(r.Method), ", ", publisher, ")")
	s.line("    .build();")
	s.line()
	s.line("HttpResponse<String> response = HttpClient.newHttpClient()")
	s.line("    .send(request, HttpResponse.BodyHandlers.ofString());")
	s.line("System.out.println(response.body());")
	return s.b.String()
}

// joined writes a multi-line text as one literal per line.
func joined(s string, quote func(string) string, glue string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, l := range lines {
		lines[i] = quote(l)
	}
	return strings.Join(lines, glue)
}

func kotlin(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	publisher := "HttpRequest.BodyPublishers.noBody()"
	if payload != "" {
		publisher = "HttpRequest.BodyPublishers.ofString(\n        " + joined(payload, dollar, " +\n        ") +
			"\n    )"
	}
	s.line("import java.net.URI")
	s.line("import java.net.http.HttpClient")
	s.line("import java.net.http.HttpRequest")
	s.line("import java.net.http.HttpResponse")
	s.line()
	if note != "" {
		s.line("// The body is ", oneLine(note), ".")
	}
	s.line("val request = HttpRequest.newBuilder()")
	s.line("    .uri(URI.create(", dollar(r.URL), "))")
	for _, h := range r.headers() {
		s.line("    .header(", dollar(h.Name), ", ", dollar(h.Value), ")")
	}
	s.line("    .method(", dollar(r.Method), ", ", publisher, ")")
	s.line("    .build()")
	s.line()
	s.line("val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())")
	s.line("println(response.body())")
	return s.b.String()
}

func csharp(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line("using System.Net.Http;")
	s.line("using System.Text;")
	s.line()
	s.line("using var client = new HttpClient();")
	s.line("using var request = new HttpRequestMessage(new HttpMethod(", double(r.Method), "), ", double(r.URL), ");")
	for _, h := range r.Headers {
		s.line("request.Headers.TryAddWithoutValidation(", double(h.Name), ", ", double(h.Value), ");")
	}
	switch {
	case r.Body.Kind == Multipart:
		s.line("var form = new MultipartFormDataContent();")
		for _, f := range r.Body.Fields {
			if f.File {
				s.line("form.Add(new StreamContent(File.OpenRead(", double(f.Value), ")), ", double(f.Name), ", ",
					double(f.Value), ");")
			} else {
				s.line("form.Add(new StringContent(", double(f.Value), "), ", double(f.Name), ");")
			}
		}
		s.line("request.Content = form;")
	case payload != "":
		s.line("request.Content = new StringContent(", joined(payload, double, "\n    + "), ", Encoding.UTF8, ",
			double(r.Body.Type), ");")
	case note != "":
		s.line("request.Content = new StreamContent(File.OpenRead(", double(fileName), "));")
	}
	s.line()
	s.line("using var response = await client.SendAsync(request);")
	s.line("Console.WriteLine(await response.Content.ReadAsStringAsync());")
	return s.b.String()
}

func swift(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line("import Foundation")
	s.line()
	s.line("var request = URLRequest(url: URL(string: ", double(r.URL), ")!)")
	s.line("request.httpMethod = ", double(r.Method))
	for _, h := range r.headers() {
		s.line("request.setValue(", double(h.Value), ", forHTTPHeaderField: ", double(h.Name), ")")
	}
	switch {
	case payload != "":
		s.line("request.httpBody = (", joined(payload, double, "\n  + "), ").data(using: .utf8)")
	case note != "":
		s.line("// The body is ", oneLine(note), ".")
	}
	s.line()
	s.line("let (data, _) = try await URLSession.shared.data(for: request)")
	s.line("print(String(decoding: data, as: UTF8.self))")
	return s.b.String()
}

func rust(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line("use reqwest::blocking::Client;")
	s.line()
	s.line("fn main() -> Result<(), Box<dyn std::error::Error>> {")
	if note != "" {
		s.line("    // The body is ", oneLine(note), ".")
	}
	s.line("    let response = Client::new()")
	s.line("        .request(", double(r.Method), ".parse()?, ", double(r.URL), ")")
	for _, h := range r.headers() {
		s.line("        .header(", double(h.Name), ", ", double(h.Value), ")")
	}
	if payload != "" {
		guard := raw(payload)
		s.line("        .body(r", guard, `"`, payload, `"`, guard, ")")
	}
	s.line("        .send()?;")
	s.line(`    println!("{}", response.text()?);`)
	s.line("    Ok(())")
	s.line("}")
	return s.b.String()
}

func dart(r Request) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line("import 'package:http/http.dart' as http;")
	s.line()
	s.line("Future<void> main() async {")
	s.line("  final request = http.Request(", dollar(r.Method), ", Uri.parse(", dollar(r.URL), "));")
	for _, h := range r.headers() {
		s.line("  request.headers[", dollar(h.Name), "] = ", dollar(h.Value), ";")
	}
	switch {
	case payload != "":
		s.line("  request.body = ", joined(payload, dollar, "\n      "), ";")
	case note != "":
		s.line("  // The body is ", oneLine(note), ".")
	}
	s.line("  final response = await http.Response.fromStream(await request.send());")
	s.line("  print(response.body);")
	s.line("}")
	return s.b.String()
}

func clang(r Request) string { return libcurl(r, "#include <curl/curl.h>\n\nint main(void) {", "NULL") }

func cpp(r Request) string { return libcurl(r, "#include <curl/curl.h>\n\nint main() {", "nullptr") }

func libcurl(r Request, head, null string) string {
	s := &source{}
	payload, note := textual(r.Body)
	s.line(head)
	s.line("  CURL *curl = curl_easy_init();")
	s.line("  struct curl_slist *headers = ", null, ";")
	for _, h := range r.headers() {
		s.line("  headers = curl_slist_append(headers, ", double(h.Name+": "+h.Value), ");")
	}
	s.line("  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ", double(r.Method), ");")
	s.line("  curl_easy_setopt(curl, CURLOPT_URL, ", double(r.URL), ");")
	s.line("  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);")
	switch {
	case payload != "":
		s.line("  curl_easy_setopt(curl, CURLOPT_POSTFIELDS,\n    ", joined(payload, double, "\n    "), ");")
	case note != "":
		s.line("  /* The body is ", strings.ReplaceAll(oneLine(note), "*/", "* /"), ". */")
	}
	s.line("  CURLcode result = curl_easy_perform(curl);")
	s.line("  curl_slist_free_all(headers);")
	s.line("  curl_easy_cleanup(curl);")
	s.line("  return (int)result;")
	s.line("}")
	return s.b.String()
}
