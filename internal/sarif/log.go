package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Rule is what is known about a code.
type Rule struct {
	Severity diag.Severity
	Meaning  string // a sentence
	Help     string // what to do, a sentence; Markdown
}

// Input is what a log is made of.
type Input struct {
	Version  string // of the program
	Prefix   string // folder of the files as the reader's tool sees them, slash-separated; "" = the tool's root
	Findings diag.List
	Rules    map[string]Rule                    // by code; codes that are not there get no help
	Line     func(file string, line int) string // the text of a line, "" when unknown; may be nil
}

// Write writes the log.
func Write(w io.Writer, in Input) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(build(in)); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

func build(in Input) logFile {
	codes := []string{}
	for _, d := range in.Findings {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	r := run{ColumnKind: "unicodeCodePoints", Results: []result{}}
	r.Tool.Driver = driver{Name: "Lectern", Version: in.Version, Rules: []rule{}}
	for _, code := range codes {
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, describe(code, in))
	}
	seen := map[string]int{}
	for _, d := range in.Findings {
		index, _ := slices.BinarySearch(codes, d.Code)
		r.Results = append(r.Results, in.result(d, index, seen))
	}
	return logFile{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []run{r}}
}

func describe(code string, in Input) rule {
	known, ok := in.Rules[code]
	out := rule{ID: code, Default: config{known.Severity}}
	if !ok {
		out.Default.Level = diag.Warning
		return out
	}
	out.Short = &text{Text: plain(known.Meaning)}
	out.Help = &text{Text: plain(known.Meaning + " " + known.Help), Markdown: known.Meaning + "\n\n" + known.Help}
	return out
}

// plain is Markdown without its backticks.
func plain(markdown string) string { return strings.ReplaceAll(markdown, "`", "") }
