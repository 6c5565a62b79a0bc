package chart

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const tableStart, tableEnd = "<!-- values: written by go test ./chart -update -->\n", "<!-- end of values -->\n"

var valueKey = regexp.MustCompile(`^( *)([A-Za-z0-9]+):`)

// row is a value with the comment above it in values.yaml.
type row struct{ name, initial, text string }

// valueRows reads values.yaml. A comment that begins with "# -- " explains the next key.
func valueRows(t *testing.T) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(chartFolder, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	values := readValues(t)
	var path []string
	said := ""
	for line := range strings.Lines(string(data)) {
		if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "# -- "); ok {
			said = comment
			continue
		}
		m := valueKey.FindStringSubmatch(line)
		if m == nil || len(m[1])/2 > len(path) {
			continue
		}
		path = append(path[:len(m[1])/2], m[2])
		if said == "" {
			continue
		}
		initial, err := json.Marshal(at(values, path...))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row{strings.Join(path, "."), string(initial), said})
		said = ""
	}
	return rows
}

// Every value has a comment that explains it.
func TestEveryValueIsExplained(t *testing.T) {
	schema := readSchema(t)
	var got []string
	for _, r := range valueRows(t) {
		got = append(got, r.name)
	}
	slices.Sort(got)
	if want := leaves("", readValues(t), schema, schema); !slices.Equal(got, want) {
		t.Errorf("documented: %q\nvalues: %q", got, want)
	}
}

// The README's table lists every value with the text of its comment in values.yaml.
func TestReadmeListsEveryValue(t *testing.T) {
	file := filepath.Join(chartFolder, "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), tableStart)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !found || !ended {
		t.Fatal("README.md has no marker for the table")
	}
	var table strings.Builder
	section := ""
	for _, r := range valueRows(t) {
		if top, _, nested := strings.Cut(r.name, "."); nested && top != section || section == "" {
			section = top
			fmt.Fprintf(&table, "\n### %s\n\n| Value | Default | Meaning |\n|---|---|---|\n",
				map[bool]string{true: "`" + top + "`", false: "Names"}[nested])
		}
		fmt.Fprintf(&table, "| `%s` | `%s` | %s |\n", r.name, r.initial, strings.ReplaceAll(r.text, "|", "\\|"))
	}
	want := before + tableStart + table.String() + "\n" + tableEnd + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(data) != want {
		t.Error("the table in README.md differs from values.yaml: run go test ./chart -run Readme -update")
	}
}
