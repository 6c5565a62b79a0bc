package apisample

import "strings"

// This file contains the generators for interpreted languages: shells, Python, JavaScript, PHP, Ruby.

func curl(r Request) string {
	lines := []string{"curl --request " + r.Method, "--url " + shell(r.URL)}
	for _, h := range r.headers() {
		lines = append(lines, "--header "+shell(h.Name+": "+h.Value))
	}
	switch r.Body.Kind {
	case JSON, Text:
		// with --data, curl would treat a value that begins with @ as a file name
		lines = append(lines, "--data-raw "+shell(r.Body.payload()))
	case Form:
		for _, f := range r.Body.Fields {
			lines = append(lines, "--data-urlencode "+shell(f.Name+"="+f.Value))
		}
	case Multipart:
		for _, f := range r.Body.Fields {
			if f.File {
				lines = append(lines, "--form "+shell(f.Name+"=@"+f.Value))
			} else {
				lines = append(lines, "--form-string "+shell(f.Name+"="+f.Value)) // as above; --form also interprets <
			}
		}
	case File:
		lines = append(lines, "--data-binary "+shell("@"+fileName))
	}
	return strings.Join(lines, " \\\n  ")
}

// fileName is a placeholder for the reader's own file.
const fileName = "example-file"

func python(r Request) string {
	s := &source{}
	s.line("import requests")
	s.line()
	s.line("url = ", double(r.URL))
	args := "url"
	w := words{"True", "False", "None", "{", ": ", "}", "[", "]", double}
	switch r.Body.Kind {
	case JSON:
		s.line()
		s.line("payload = ", w.literal(r.Body.Value, "", "    "))
		args += ", json=payload"
	case Text:
		s.line()
		s.line("payload = ", double(r.Body.Text))
		args += ", data=payload"
	case File:
		s.line("payload = open(", double(fileName), `, "rb")`)
		args += ", data=payload"
	case Form, Multipart:
		args += pythonForm(s, r.Body)
	}
	heads := r.headers()
	if r.Body.Kind == JSON {
		heads = r.Headers
	}
	if len(heads) > 0 {
		s.line("headers = {")
		for i, h := range heads {
			s.line("    ", double(h.Name), ": ", double(h.Value), comma(len(heads)-1-i))
		}
		s.line("}")
		args += ", headers=headers"
	}
	s.line()
	s.line("response = requests.", strings.ToLower(r.Method), "(", args, ")")
	s.line()
	s.line("print(response.text)")
	return s.b.String()
}

func pythonForm(s *source, b Body) (args string) {
	var files, plain []Field
	for _, f := range b.Fields {
		if f.File {
			files = append(files, f)
		} else {
			plain = append(plain, f)
		}
	}
	s.line()
	if len(files) > 0 {
		s.line("files = {")
		for i, f := range files {
			s.line("    ", double(f.Name), ": open(", double(f.Value), `, "rb")`, comma(len(files)-1-i))
		}
		s.line("}")
		args += ", files=files"
	}
	if len(plain) > 0 {
		s.line("payload = {")
		for i, f := range plain {
			s.line("    ", double(f.Name), ": ", double(f.Value), comma(len(plain)-1-i))
		}
		s.line("}")
		args += ", data=payload"
	}
	return args
}

func javascript(r Request) string { return fetch(r, "") }

func typescript(r Request) string { return fetch(r, ": RequestInit") }

// fetch writes a sample with the fetch function of browsers.
func fetch(r Request, typ string) string {
	s := &source{}
	body := scriptBody(s, r.Body, "document.querySelector(\"input[type=file]\").files[0]")
	s.line("const options", typ, " = {")
	s.line("  method: ", double(r.Method), comma(len(r.headers())+len(body)))
	scriptHeaders(s, r.headers(), body != "")
	if body != "" {
		s.line("  body: ", body)
	}
	s.line("};")
	s.line()
	s.line("fetch(", double(r.URL), ", options)")
	s.line("  .then((response) => response.json())")
	s.line("  .then((data) => console.log(data))")
	s.line("  .catch((error) => console.error(error));")
	return s.b.String()
}

func node(r Request) string {
	s := &source{}
	if r.Body.Kind == File || r.Body.Kind == Multipart {
		s.line(`import { openAsBlob } from "node:fs";`)
		s.line()
	}
	body := scriptBody(s, r.Body, "await openAsBlob("+double(fileName)+")")
	s.line("const response = await fetch(", double(r.URL), ", {")
	s.line("  method: ", double(r.Method), comma(len(r.headers())+len(body)))
	scriptHeaders(s, r.headers(), body != "")
	if body != "" {
		s.line("  body: ", body)
	}
	s.line("});")
	s.line()
	s.line("console.log(await response.json());")
	return s.b.String()
}

func scriptHeaders(s *source, heads []Header, more bool) {
	if len(heads) == 0 {
		return
	}
	s.line("  headers: {")
	for i, h := range heads {
		s.line("    ", double(h.Name), ": ", double(h.Value), comma(len(heads)-1-i))
	}
	if more {
		s.line("  },")
	} else {
		s.line("  }")
	}
}

// scriptBody writes the statements before the call and returns the expression for the body, or "".
func scriptBody(s *source, b Body, file string) string {
	w := words{"true", "false", "null", "{", ": ", "}", "[", "]", double}
	switch b.Kind {
	case JSON:
		return "JSON.stringify(" + w.literal(b.Value, "  ", "  ") + ")"
	case Text:
		return double(b.Text)
	case File:
		return file
	case Form, Multipart:
		name := map[Kind]string{Form: "new URLSearchParams()", Multipart: "new FormData()"}[b.Kind]
		s.line("const form = ", name, ";")
		for _, f := range b.Fields {
			value := double(f.Value)
			if f.File {
				value = file
			}
			s.line("form.append(", double(f.Name), ", ", value, ");")
		}
		s.line()
		return "form"
	}
	return ""
}

func php(r Request) string {
	s := &source{}
	s.line("<?php")
	s.line()
	s.line("$curl = curl_init();")
	s.line()
	s.line("curl_setopt_array($curl, [")
	s.line("    CURLOPT_URL => ", single(r.URL), ",")
	s.line("    CURLOPT_RETURNTRANSFER => true,")
	s.line("    CURLOPT_CUSTOMREQUEST => ", single(r.Method), ",")
	w := words{"true", "false", "null", "[", " => ", "]", "[", "]", single}
	switch r.Body.Kind {
	case JSON:
		s.line("    CURLOPT_POSTFIELDS => json_encode(", w.literal(r.Body.Value, "    ", "    "), "),")
	case Text:
		s.line("    CURLOPT_POSTFIELDS => ", single(r.Body.Text), ",")
	case File:
		s.line("    CURLOPT_POSTFIELDS => file_get_contents(", single(fileName), "),")
	case Form, Multipart:
		s.line("    CURLOPT_POSTFIELDS => ", phpForm(r.Body), ",")
	}
	if heads := r.headers(); len(heads) > 0 {
		s.line("    CURLOPT_HTTPHEADER => [")
		for _, h := range heads {
			s.line("        ", single(h.Name+": "+h.Value), ",")
		}
		s.line("    ],")
	}
	s.line("]);")
	s.line()
	s.line("$response = curl_exec($curl);")
	s.line("curl_close($curl);")
	s.line()
	s.line("echo $response;")
	return s.b.String()
}

func phpForm(b Body) string {
	var parts []string
	for _, f := range b.Fields {
		value := single(f.Value)
		if f.File {
			value = "new CURLFile(" + value + ")"
		}
		parts = append(parts, "        "+single(f.Name)+" => "+value+",\n")
	}
	array := "[\n" + strings.Join(parts, "") + "    ]"
	if b.Kind == Form {
		return "http_build_query(" + array + ")"
	}
	return array
}

func ruby(r Request) string {
	s := &source{}
	s.line(`require "net/http"`)
	s.line(`require "json"`)
	s.line()
	s.line("url = URI(", single(r.URL), ")")
	s.line("http = Net::HTTP.new(url.host, url.port)")
	s.line(`http.use_ssl = url.scheme == "https"`)
	s.line()
	s.line("request = Net::HTTP::", strings.ToUpper(r.Method[:1]), strings.ToLower(r.Method[1:]), ".new(url)")
	for _, h := range r.headers() {
		s.line("request[", single(h.Name), "] = ", single(h.Value))
	}
	w := words{"true", "false", "nil", "{", " => ", "}", "[", "]", single}
	switch r.Body.Kind {
	case JSON:
		s.line("request.body = JSON.generate(", w.literal(r.Body.Value, "", "  "), ")")
	case Text:
		s.line("request.body = ", single(r.Body.Text))
	case File:
		s.line("request.body = File.binread(", single(fileName), ")")
	case Form, Multipart:
		s.line("request.set_form([")
		for _, f := range r.Body.Fields {
			value := single(f.Value)
			if f.File {
				value = "File.open(" + value + ")"
			}
			s.line("  [", single(f.Name), ", ", value, "],")
		}
		s.line("], ", single(r.Body.Type), ")")
	}
	s.line()
	s.line("response = http.request(request)")
	s.line("puts response.read_body")
	return s.b.String()
}

func powershell(r Request) string {
	s := &source{}
	literal := func(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }
	args := []string{"-Uri " + literal(r.URL), "-Method " + r.Method}
	if heads := r.Headers; len(heads) > 0 {
		s.line("$headers = @{")
		for _, h := range heads {
			s.line("  ", literal(h.Name), " = ", literal(h.Value))
		}
		s.line("}")
		args = append(args, "-Headers $headers")
	}
	switch r.Body.Kind {
	case JSON, Text:
		s.line("$body = ", literal(r.Body.payload()))
		args = append(args, "-ContentType "+literal(r.Body.Type), "-Body $body")
	case File:
		args = append(args, "-ContentType "+literal(r.Body.Type), "-InFile "+literal(fileName))
	case Form, Multipart:
		s.line("$form = @{")
		for _, f := range r.Body.Fields {
			value := literal(f.Value)
			if f.File {
				value = "Get-Item " + value
			}
			s.line("  ", literal(f.Name), " = ", value)
		}
		s.line("}")
		args = append(args, map[Kind]string{Form: "-Body $form", Multipart: "-Form $form"}[r.Body.Kind])
	}
	s.line("Invoke-RestMethod ", strings.Join(args, " `\n  "))
	return s.b.String()
}
