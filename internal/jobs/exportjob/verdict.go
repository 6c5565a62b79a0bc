package exportjob

import (
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxFound is the number of findings that a job keeps, and maxText is the maximum length of each of their texts in
// bytes.
const (
	maxFound = 50
	maxText  = 1000
)

// verdict decides whether a build may be offered as a bundle: it must contain every page. The error states the first
// location with an error and the number of others.
func verdict(r *build.Report) error {
	if r.Failed == 0 && r.Pages > 0 && !r.Diagnostics.HasErrors() {
		return nil
	}
	var first diag.Diagnostic
	errors := 0
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			if errors++; errors == 1 {
				first = d
			}
		}
	}
	if errors == 0 {
		return fault.New(fault.Invalid, "no_pages", "The site has no pages to export.")
	}
	text := fmt.Sprintf("The site does not build: %s", clip.Bytes(first.String(), maxText))
	switch {
	case errors == 2:
		text += " There is 1 more error."
	case errors > 2:
		text += fmt.Sprintf(" There are %d more errors.", errors-1)
	}
	return fault.New(fault.Invalid, "build_failed", text)
}

// findings returns the first findings of a build, errors before warnings, for API callers.
func findings(r *build.Report) diag.List {
	if r == nil {
		return nil
	}
	var out diag.List
	for _, severity := range []diag.Severity{diag.Error, diag.Warning} {
		for _, d := range r.Diagnostics {
			if d.Severity == severity && len(out) < maxFound {
				d.Message, d.Hint = clip.Bytes(d.Message, maxText), clip.Bytes(d.Hint, maxText)
				out = append(out, d)
			}
		}
	}
	return slices.Clip(out)
}
