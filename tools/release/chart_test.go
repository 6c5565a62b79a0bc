package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/tools/release/internal/dist"
)

// Helm can read the packed chart. It has the release's version, and its pods run the release's image.
func TestHelmReadsPackedChart(t *testing.T) {
	m := regexp.MustCompile(`(?m)helm\.sh/helm/v4 (v\S+)`).FindSubmatch(read(t, "../charttools/go.mod"))
	if m == nil {
		t.Fatal("tools/charttools/go.mod names no version of Helm")
	}
	helm := filepath.Join(cacheDir(), "bin", "helm-"+string(m[1])) // tools/install-testservers builds it
	chart := absolute(t, filepath.Join(built, dist.Chart(version)))
	if out := output(t, exec.Command(helm, "show", "chart", chart)); !strings.Contains(out, "version: "+version+"\n") {
		t.Errorf("unexpected chart metadata:\n%s", out)
	}
	names := string(read(t, repo+"/chart/lectern/templates/_names.tpl"))
	for _, name := range dist.Images() {
		if !strings.Contains(names, `"lectern-docs/`+name+`"`) {
			t.Errorf("the chart does not mention the image %s", name)
		}
	}
	out := output(t, exec.Command(helm, "template", "docs", chart, "--set", "staticExport.enabled=true", "--set",
		"staticExport.bundleUrl=https://example.com/site.tar.gz"))
	if !strings.Contains(out, "lectern-docs/lectern:"+version) {
		t.Errorf("no pod runs the release's image:\n%s", out)
	}
}
