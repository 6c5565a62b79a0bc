package sitediff

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/apichange"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// compareAPIs reports changes to a published API that affect its clients: removed operations, parameters and fields,
// and values that are now required.
func (c *comparison) compareAPIs() {
	same := map[string]bool{} // descriptions whose files did not change
	done := map[*openapi.Operation]bool{}
	for _, path := range slices.Sorted(maps.Keys(c.base.pages)) {
		ref := c.base.pages[path].API
		if ref == nil || ref.Spec == "" || ref.Kind != site.APIOperation && ref.Kind != site.APIWebhook {
			continue
		}
		if _, known := same[ref.Spec]; !known {
			same[ref.Spec] = c.sameSpec(ref.Spec)
		}
		before := c.base.specs.Operation(ref.Spec, ref.Method, ref.Path)
		if same[ref.Spec] || before == nil || done[before] || c.head.specs.Failed(ref.Spec) {
			continue
		}
		done[before] = true
		c.compareOperation(ref.Spec, before)
	}
}

// sameSpec reports whether all files of a description are unchanged.
func (c *comparison) sameSpec(name string) bool {
	files := c.base.specs.Files(name)
	if !slices.Equal(files, c.head.specs.Files(name)) {
		return false
	}
	for _, file := range files {
		before, err := fs.ReadFile(c.base.src, file)
		if err != nil {
			return false
		}
		after, err := fs.ReadFile(c.head.src, file)
		if err != nil || !bytes.Equal(before, after) {
			return false
		}
	}
	return true
}

func (c *comparison) compareOperation(spec string, before *openapi.Operation) {
	after := c.head.specs.Operation("", before.Method, before.Path, spec)
	if after == nil {
		pos := diag.Pos{}
		if c.head.specs.Spec(spec) != nil {
			pos.File = spec
		}
		c.result.Findings.Warnf(pos, apichange.Gone(before).Code, "The operation %s was published but no longer exists.", before.Key())
		c.result.Findings.Hint("Clients may still call it: mark it as deprecated first.")
		return
	}
	for _, change := range apichange.Operations(before, after) {
		if change.Code != "" {
			c.result.Findings.Warnf(change.Pos, change.Code, "%s: %s.", after.Key(), change.Text)
		}
	}
}
