package apisample

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

var update = flag.Bool("update", false, "rewrite the wanted samples")

func text(s string) *jsontree.Value { return jsontree.NewString(s) }

func requests() map[string]Request {
	value := jsontree.NewObject(
		jsontree.Member{Key: "it's", Value: text("a \"quoted\" $name \\ `tick` #\"# \n end")},
		jsontree.Member{Key: "n", Value: &jsontree.Value{Kind: jsontree.Number, Str: "1.5"}},
		jsontree.Member{Key: "ok", Value: &jsontree.Value{Kind: jsontree.Bool, Str: "true"}},
		jsontree.Member{Key: "none", Value: &jsontree.Value{}},
		jsontree.Member{Key: "list",
			Value: &jsontree.Value{Kind: jsontree.List, Items: []*jsontree.Value{text("x"), jsontree.NewObject()}}},
	)
	form := []Field{{Name: "file", Value: "example-file", File: true}, {Name: "note", Value: "a & 'b'"}}
	heads := []Header{{"Authorization", "Bearer <token>"}}
	return map[string]Request{
		"get": {Method: "GET", URL: "https://api.example.com/pets/{id}?" + Query("q", "a b&c")},
		"json": {Method: "POST", URL: "https://api.example.com/pets", Headers: heads,
			Body: Body{Kind: JSON, Type: "application/json", Value: value}},
		"multipart": {Method: "PUT", URL: "https://api.example.com/photo", Headers: heads,
			Body: Body{Kind: Multipart, Type: "multipart/form-data", Fields: form}},
		"form": {Method: "POST", URL: "https://api.example.com/form",
			Body: Body{Kind: Form, Type: "application/x-www-form-urlencoded", Fields: form[1:]}},
		"text": {Method: "PATCH", URL: "https://api.example.com/text",
			Body: Body{Kind: Text, Type: "text/plain", Text: "one 'line'\nand \"another\""}},
		"file": {Method: "POST", URL: "https://api.example.com/file",
			Body: Body{Kind: File, Type: "application/octet-stream"}},
	}
}

func TestSamplesMatchGoldenFiles(t *testing.T) {
	for name, r := range requests() {
		for _, l := range all() {
			file := filepath.Join("testdata", name, l.Key+".txt")
			got := l.Write(r) + "\n"
			if *update {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil || string(want) != got {
				t.Errorf("%s in %s (%v): got\n%s", name, l.Key, err, got)
			}
		}
	}
}

func TestGoSamplesParse(t *testing.T) {
	for name, r := range requests() {
		if _, err := parser.ParseFile(token.NewFileSet(), name, golang(r), parser.AllErrors); err != nil {
			t.Errorf("%s: %v\n%s", name, err, golang(r))
		}
	}
}

func TestLanguagesAreFoundByName(t *testing.T) {
	found, unknown := Languages([]string{"curl", "terminal", "PYTHON", "dotnet", "c#", "cobol", "c++"})
	var keys []string
	for _, l := range found {
		keys = append(keys, l.Key)
	}
	if strings.Join(keys, " ") != "bash python csharp cpp" || strings.Join(unknown, " ") != "cobol" {
		t.Errorf("%v %v", keys, unknown)
	}
	if found, _ := Languages(nil); len(found) != usual || found[0].Title != "cURL" {
		t.Errorf("%v", found)
	}
}

// curl never reads a file named by a value from a description or a reader.
func TestCurlSampleNeverReadsFilesNamedByValues(t *testing.T) {
	const value = "@/etc/passwd"
	for _, field := range []string{value, "</etc/passwd"} {
		for kind, r := range map[string]Request{
			"text": {Method: "POST", URL: "https://api.example.com",
				Body: Body{Kind: Text, Type: "text/plain", Text: field}},
			"form": {Method: "POST", URL: "https://api.example.com",
				Body: Body{Kind: Form, Fields: []Field{{Name: "a", Value: field}}}},
			"multipart": {Method: "POST", URL: "https://api.example.com",
				Body: Body{Kind: Multipart, Fields: []Field{{Name: "a", Value: field}}}},
		} {
			got := curl(r)
			if !strings.Contains(got, "--data-raw '"+field+"'") && !strings.Contains(got,
				"--data-urlencode 'a="+field+"'") && !strings.Contains(got, "--form-string 'a="+field+"'") {
				t.Errorf("%s: %s", kind, got)
			}
		}
	}
}
