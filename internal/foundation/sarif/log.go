package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// Rule describes a code.
type Rule struct {
	Severity diag.Severity
	Section  string // its topic, such as "Site file"
	Meaning  string // a sentence
	Help     string // a sentence in Markdown that says what to do
}

// Input is the content of a log.
type Input struct {
	Version  string // version of the program
	Home     string // address of the program's own page
	Guide    string // address of the page that describes the codes
	Prefix   string // folder of the files, relative to the root of the tool that reads the log; "" = that root
	Findings diag.List
	Rules    map[string]Rule // by code
	// Line returns a line of a file, counted from 1. ok is false if it does not exist. Line may be nil.
	Line func(file string, line int) (text string, ok bool)
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
	codes := slices.Collect(maps.Keys(in.Rules)) // all codes, so that a log without findings shows what was checked
	for _, d := range in.Findings {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	r := run{ColumnKind: "unicodeCodePoints", Results: []result{}}
	number := numeric(in.Version)
	r.Tool.Driver = driver{Name: "Lectern", Version: number, SemanticVersion: number, Information: in.Home,
		Rules: []rule{}}
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

// numeric returns a version that starts with a digit, as programs that read SARIF expect. If the program is not a
// release, the version is 0.0.0 with a suffix.
func numeric(version string) string {
	number := strings.TrimPrefix(version, "v")
	if number == "" || number[0] < '0' || number[0] > '9' {
		return "0.0.0-" + cmp.Or(slug.Heading(number), "devel")
	}
	return number
}

// describe creates the rule for a code. For a code that is not in the guide, the description is derived from the code,
// because programs that read the log reject a rule without a description.
func describe(code string, in Input) rule {
	known, ok := in.Rules[code]
	if !ok {
		known = Rule{Severity: diag.Warning, Meaning: slug.Words(code) + "."}
	}
	full := strings.TrimSpace(known.Meaning + " " + known.Help)
	out := rule{
		ID: code, Name: pascal(code), Default: config{known.Severity},
		Short: text{Text: plain(known.Meaning)},
		Full:  text{Text: plain(full)},
		Help:  text{Text: plain(full), Markdown: strings.TrimSpace(known.Meaning + "\n\n" + known.Help)},
		// Findings are facts, not guesses.
		Properties: properties{Tags: []string{"documentation"}, Precision: "very-high",
			Severity: string(known.Severity)},
	}
	out.HelpURI = in.Guide
	if section := slug.Heading(known.Section); section != "" {
		out.HelpURI += "#" + section
		out.Properties.Tags = append(out.Properties.Tags, section)
	}
	return out
}

// pascal converts a code to one word: broken-link becomes BrokenLink, not-a-file NotFile. The result never equals the
// code, because validators reject that.
func pascal(code string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(code, "-") {
		if len(word) > 1 { // skip single letters: two capitals in a row would not look like two words
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	if !strings.Contains(code, "-") {
		b.WriteString("Finding")
	}
	return b.String()
}

// plain removes the backticks from Markdown.
func plain(markdown string) string { return strings.ReplaceAll(markdown, "`", "") }
