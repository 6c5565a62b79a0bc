package sarif

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// siteFile is the location of findings about the whole site. They need one, because code hosts do not show findings
// without a location.
const siteFile = "docs.json"

// result creates the result for one finding. seen counts equal findings, so that each gets its own fingerprint.
func (in Input) result(d diag.Diagnostic, index int, seen map[string]int) result {
	message := d.Message
	if d.Hint != "" {
		message += " " + d.Hint
	}
	source := ""
	if d.Line > 0 {
		source, _ = in.line(d.File, d.Line)
	}
	// The line number is not part of the fingerprint, so that a finding keeps its identity when it moves.
	key := strings.Join([]string{d.Code, d.File, d.Message, strings.TrimSpace(source)}, "\x00")
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(seen[key])))
	seen[key]++
	return result{
		RuleID: d.Code, RuleIndex: index, Level: d.Severity, Message: text{Text: message},
		Locations:    []location{in.place(d)},
		Fingerprints: map[string]string{"lecternFinding/v1": hex.EncodeToString(sum[:16])},
	}
}

// line returns a line of a file. ok is false if the line does not exist or is too long to quote.
func (in Input) line(file string, line int) (string, bool) {
	if in.Line == nil || file == "" {
		return "", false
	}
	source, ok := in.Line(file, line)
	return source, ok && len(source) <= maxLine
}

// maxLine limits quoted lines, in bytes. Otherwise, each finding in a file that consists of a single long line would
// quote the whole file.
const maxLine = 2000

// place returns the location of a finding. A finding about a whole file is located on its first line.
func (in Input) place(d diag.Diagnostic) location {
	var l location
	file := cmp.Or(d.File, siteFile)
	l.Physical.Artifact = artifact{URI: address(path.Join(in.Prefix, file)), Base: "%SRCROOT%"}
	l.Physical.Region = region{StartLine: max(d.Line, 1), StartColumn: d.Column}
	if source, ok := in.line(file, l.Physical.Region.StartLine); ok {
		l.Physical.Region.Snippet = &text{Text: source}
		l.Physical.Context = in.context(file, l.Physical.Region.StartLine)
	}
	return l
}

// context returns a line with its neighbours, or nil if it has none.
func (in Input) context(file string, line int) *region {
	out := region{StartLine: line, EndLine: line}
	var lines []string
	for n := line - 1; n <= line+1; n++ {
		if source, ok := in.line(file, n); ok {
			lines = append(lines, source)
			out.StartLine, out.EndLine = min(out.StartLine, n), n
		}
	}
	if len(lines) < 2 {
		return nil
	}
	out.Snippet = &text{Text: strings.Join(lines, "\n")}
	return &out
}

// address encodes a path as a relative reference. It works for any file name.
func address(file string) string {
	u := (&url.URL{Path: strings.ToValidUTF8(file, "\uFFFD")}).EscapedPath()
	if first, _, _ := strings.Cut(u, "/"); strings.Contains(first, ":") {
		return "./" + u
	}
	return u
}
