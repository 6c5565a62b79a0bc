package mcp_test

import (
	"os"
	"testing"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// buildSite builds a site into memory.
func buildSite(t *testing.T, files map[string]string) *sitehost.Built {
	t.Helper()
	built := &sitehost.Built{}
	report, err := build.Build(t.Context(), os.DirFS(worktest.Write(t, files)),
		build.Options{BaseURL: "https://docs.example.com", Links: link.Clean}, built)
	if err != nil || report.Failed > 0 {
		t.Fatalf("%+v %v", report, err)
	}
	built.Manifest.Name = report.Name
	return built
}
