package jsbuild

import (
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// advice is the Detail of a message from our own plugin.
type advice struct {
	code, hint string
}

// report turns the bundler's messages into findings. The bundler's own warnings are about style and compatibility,
// which do not concern authors, so only warnings from our plugin are kept.
func (r *run) report(messages []api.Message, s diag.Severity) diag.List {
	var list diag.List
	for _, m := range messages {
		_, ours := m.Detail.(advice)
		if s == diag.Warning && !ours {
			continue
		}
		list = append(list, finding(r.origin(m.Location), s, m))
	}
	return list
}

// origin maps the bundler's location to the author's file.
func (r *run) origin(l *api.Location) place {
	top := place{Pos: diag.Pos{File: r.src.File, Line: 1, Column: 1}, thunk: -1}
	if l == nil {
		return top
	}
	if isEntry(l) {
		if p := r.entry.origin(l.Line, l.Column, l.LineText); p.Line > 0 {
			return p
		}
		return top
	}
	name := strings.TrimPrefix(strings.TrimPrefix(l.File, mdxSpace+":"), docsSpace+":")
	if t := r.modules.text(name); t != nil {
		if p := t.origin(l.Line, l.Column, l.LineText); p.Line > 0 {
			return p
		}
	}
	chars := utf8.RuneCountInString(l.LineText[:max(0, min(l.Column, len(l.LineText)))])
	return place{Pos: diag.Pos{File: name, Line: l.Line, Column: 1 + chars}, thunk: -1}
}

// isEntry reports whether a location is in the generated entry file. The bundler writes the namespace before the
// file name.
func isEntry(l *api.Location) bool { return l.File == entrySpace+":"+entryName }

// finding turns one message into a finding.
func finding(at place, s diag.Severity, m api.Message) diag.Diagnostic {
	d := diag.Diagnostic{File: at.File, Line: at.Line, Column: at.Column, Severity: s, Code: "js-syntax",
		Message: m.Text + "."}
	if a, ours := m.Detail.(advice); ours {
		d.Message, d.Code, d.Hint = m.Text, a.code, a.hint
		return d
	}
	switch {
	case at.past && (strings.HasPrefix(m.Text, "Unexpected") || strings.HasPrefix(m.Text, "Expected") ||
		strings.HasPrefix(m.Text, "Unterminated")):
		d.Message, d.Hint = "The JavaScript is incomplete.", "Close every bracket, quote and tag."
	case m.Location != nil && m.Location.Suggestion != "":
		d.Hint = "Write " + m.Location.Suggestion + "."
	case strings.Contains(m.Text, "already been declared"):
		d.Hint = "The name is imported or defined twice; remove one of them."
	case strings.Contains(m.Text, "Top-level await"):
		d.Hint = "Pages cannot wait while they are rendered. Write the value itself."
	default:
		d.Hint = "The JavaScript here is incomplete or invalid. Check brackets, quotes and commas."
	}
	return d
}
