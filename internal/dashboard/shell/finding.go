package shell

import (
	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// maxPlaces is the number of positions listed for a finding.
const maxPlaces = 50

// Finding is a finding of a build with its other positions.
type Finding struct {
	client.Diagnostic
	Where  string   // file:line:column
	Others []string // other positions of the same finding
	More   int      // number of positions not in Others
	Times  int
}

// GroupFindings merges findings with the same message, just like the command line.
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
