package bundlecheck_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/bundlecheck"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// A bundle with a playground passes, and the report lists the hosts that its readers can call.
func TestReportListsHostsOfThePlayground(t *testing.T) {
	m := memory{fstest.MapFS{}}
	src := fstest.MapFS{
		"docs.json": {Data: []byte(
			`{"name": "x", "navigation": {"pages": ["index", {"group": "API", "openapi": "api.json"}]}}`)},
		"index.mdx": {Data: []byte("---\ntitle: Home\n---\n\nHello.\n")},
		"api.json": {Data: []byte(
			`{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://api.example.com/v1"}], "paths": {"/x": {"get": {"summary": "X", "description": "</script>"}}}}`)},
	}
	opt := build.Options{Links: link.Relative, Version: "v1", Manifest: true,
		Offers: capability.Offers{Playground: capability.Playground{On: true, Proxy: capability.MayHaveProxy}}}
	if _, err := build.Build(t.Context(), src, opt, m); err != nil {
		t.Fatal(err)
	}
	r, err := bundlecheck.Check(t.Context(), bundlecheck.Folder(m.files), bundlecheck.Options{Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK || len(r.Findings) > 0 || !slices.Equal(r.Hosts, []string{"api.example.com"}) {
		t.Errorf("%v, hosts %v", r.Findings, r.Hosts)
	}
}
