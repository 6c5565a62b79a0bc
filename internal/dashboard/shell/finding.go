package shell

import (
	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// maxPlaces bounds the places that a page lists for a finding.
const maxPlaces = 50

// Finding is a finding of a build with the other places that it was found at.
type Finding struct {
	client.Diagnostic
	Where  string   // its place, as compilers write it
	Others []string // further places of findings that say the same
	More   int      // places that are not in Others
	Times  int
}

// GroupFindings puts findings that say the same together, as the command line does.
func GroupFindings(list []client.Diagnostic) (out []Finding) {
	var all diag.List
	for _, d := range list {
		all = append(all, diag.Diagnostic{File: d.File, Line: d.Line, Column: d.Column,
			Severity: diag.Severity(d.Severity), Code: d.Code, Message: d.Message, Hint: d.Hint})
	}
	for _, g := range all.Groups() {
		f := Finding{Where: g.Place(), Times: 1 + len(g.Others), Diagnostic: client.Diagnostic{File: g.File, Line: g.Line,
			Column: g.Column, Severity: client.DiagnosticSeverity(g.Severity), Code: g.Code, Message: g.Message,
			Hint: g.Hint}}
		for _, o := range g.Others[:min(len(g.Others), maxPlaces)] {
			f.Others = append(f.Others, o.Place())
		}
		f.More = len(g.Others) - len(f.Others)
		out = append(out, f)
	}
	return out
}
