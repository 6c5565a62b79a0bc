package shell

import (
	"strings"
	"testing"

	front "github.com/lectern-docs/lectern/web/dashboard"
)

func TestPageScriptIsServedAsOneBundle(t *testing.T) {
	all := loadFiles(front.Files(), loadLook())
	script, ok := all["dashboard.js"]
	if !ok || !strings.HasPrefix(script.kind, "text/javascript") || script.tag == "" {
		t.Fatalf("%+v", script)
	}
	for _, part := range []string{"[data-copy]", "data-countdown", "/dashboard/live?page=", "[data-menu]"} {
		if !strings.Contains(string(script.body), part) {
			t.Errorf("the bundle has no %s", part)
		}
	}
	for name := range all {
		if strings.HasSuffix(name, ".ts") {
			t.Errorf("%s is served", name)
		}
	}
}
