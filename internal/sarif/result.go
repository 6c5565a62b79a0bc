package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
)

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
