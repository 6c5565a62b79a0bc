package publish

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// verdict rejects a build that would leave readers without a site, or without the parts generated from the site file
// or from a remote API description. A single failing page does not stop the others.
func verdict(r *build.Report) error {
	switch {
	case r.Pages == 0:
		if d, ok := firstError(r, func(diag.Diagnostic) bool { return true }); ok {
			return doesNotBuild(d)
		}
		return fault.New(fault.Invalid, "no_pages", "The site has no pages.")
	case r.Broken:
		d, _ := firstError(r, func(d diag.Diagnostic) bool { return strings.HasSuffix(d.File, ".json") })
		return doesNotBuild(d)
	case slices.ContainsFunc(r.Unread, openapi.Remote):
		d, _ := firstError(r, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Code, "spec-") })
		// The other host may recover later, without a new commit: the poller retries.
		return fault.Newf(fault.Unavailable, "build_failed", "The site does not build: %s", d)
	}
	return nil
}

func firstError(r *build.Report, is func(diag.Diagnostic) bool) (diag.Diagnostic, bool) {
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error && is(d) {
			return d, true
		}
	}
	return diag.Diagnostic{}, false
}

func doesNotBuild(d diag.Diagnostic) error {
	return fault.Newf(fault.Invalid, "build_failed", "The site does not build: %s", d)
}
