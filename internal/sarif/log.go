package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
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

// The parts of a log, with the names of the standard.
type (
	text    struct{ Text, Markdown string }
	logFile struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}
	run struct {
		Tool       tool     `json:"tool"`
		ColumnKind string   `json:"columnKind"`
		Results    []result `json:"results"` // never null: that would say that nothing was looked at
	}
	tool struct {
		Driver driver `json:"driver"`
	}
	driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Rules   []rule `json:"rules"`
	}
	rule struct {
		ID      string `json:"id"`
		Short   *text  `json:"shortDescription,omitempty"`
		Help    *text  `json:"help,omitempty"`
		Default config `json:"defaultConfiguration"`
	}
	config struct {
		Level diag.Severity `json:"level"`
	}
	result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        diag.Severity     `json:"level"`
		Message      text              `json:"message"`
		Locations    []location        `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	location struct {
		Physical struct {
			Artifact artifact `json:"artifactLocation"`
			Region   *region  `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	region struct {
		StartLine   int   `json:"startLine"`
		StartColumn int   `json:"startColumn,omitempty"`
		Snippet     *text `json:"snippet,omitempty"`
	}
)

// MarshalJSON leaves Markdown out where there is none.
func (t text) MarshalJSON() ([]byte, error) {
	m := map[string]string{"text": t.Text}
	if t.Markdown != "" {
		m["markdown"] = t.Markdown
	}
	return json.Marshal(m)
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

// result words one finding. seen counts equal ones, so that each has a fingerprint of its own.
func (in Input) result(d diag.Diagnostic, index int, seen map[string]int) result {
	message := d.Message
	if d.Hint != "" {
		message += " " + d.Hint
	}
	source := ""
	if in.Line != nil && d.File != "" && d.Line > 0 {
		source = in.Line(d.File, d.Line)
	}
	out := result{RuleID: d.Code, RuleIndex: index, Level: d.Severity, Message: text{Text: message}}
	// The line's number is not part of the fingerprint: a finding that moves is still the same.
	key := strings.Join([]string{d.Code, d.File, d.Message, strings.TrimSpace(source)}, "\x00")
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(seen[key])))
	seen[key]++
	out.Fingerprints = map[string]string{"lecternFinding/v1": hex.EncodeToString(sum[:16])}
	if d.File != "" {
		out.Locations = []location{in.place(d, source)}
	}
	return out
}

func (in Input) place(d diag.Diagnostic, source string) location {
	var l location
	l.Physical.Artifact = artifact{URI: address(path.Join(in.Prefix, d.File)), Base: "%SRCROOT%"}
	if d.Line > 0 {
		l.Physical.Region = &region{StartLine: d.Line, StartColumn: d.Column}
		if source != "" {
			l.Physical.Region.Snippet = &text{Text: source}
		}
	}
	return l
}

// address escapes a path so that it is a relative reference whatever the file is called.
func address(file string) string {
	u := (&url.URL{Path: strings.ToValidUTF8(file, "\uFFFD")}).EscapedPath()
	if first, _, _ := strings.Cut(u, "/"); strings.Contains(first, ":") {
		return "./" + u
	}
	return u
}
