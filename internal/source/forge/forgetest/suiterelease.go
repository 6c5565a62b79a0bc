package forgetest

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

func release(t *testing.T, d *fixture) {
	host, ok := d.host.(pull.Releases)
	if ok != (d.rig.Release != nil) {
		t.Fatalf("the driver has releases: %v; the host: %v", ok, d.rig.Release != nil)
	}
	if !ok {
		_, err := d.host.Find(t.Context(), branch)
		d.expect(t, "Find", err, fault.NotFound, "unknown_pull")
		return
	}
	notes := "Adds **quokkas**.\n\n- and wombats\n" + strings.Repeat("long ", 10_000)
	for _, tag := range []string{"v1.0.0", "sdk/v1.1.0", "v2.0.0+build.7", "v2-%-ü"} {
		_, err := host.Release(t.Context(), tag)
		d.expect(t, "Release", err, fault.NotFound, "unknown_release")
		d.rig.Release(t, tag, "Release of "+tag, notes)
		got, err := host.Release(t.Context(), tag)
		if err != nil || got.Title != "Release of "+tag || strings.TrimSpace(got.Notes) != strings.TrimSpace(notes) {
			t.Errorf("%s: %.80q, %v", tag, got, err)
		}
	}
	d.rig.Tag(t, "v3.0.0")
	_, err := host.Release(t.Context(), "v3.0.0")
	d.expect(t, "Release of a tag without one", err, fault.NotFound, "unknown_release")
}
