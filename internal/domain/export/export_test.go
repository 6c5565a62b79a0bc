package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// B5: there is no bundle before completion, and the error names the job's state.
func TestOnlyCompletedExportHasBundle(t *testing.T) {
	done := []export.Bundle{{Format: export.TarGz, Key: "k"}}
	for _, s := range []export.Status{export.Queued, export.Running, export.Failed} {
		_, err := export.Job{Status: s, Bundles: done, Error: "No pages."}.Bundle(export.TarGz)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(s)) {
			t.Errorf("%s: %v", s, err)
		}
	}
	if b, err := (export.Job{Status: export.Completed, Bundles: done}).Bundle(export.TarGz); err != nil ||
		b.Key != "k" {
		t.Errorf("completed: %v %v", b, err)
	}
}

func TestPathsAreNormalizedOrRefused(t *testing.T) {
	got, err := export.CleanPaths([]string{"/guides/start", "guides/end.mdx", "/"})
	if err != nil || !slices.Equal(got, []string{"guides/start", "guides/end", "index"}) {
		t.Fatalf("%v %v", got, err)
	}
	for _, bad := range []string{"../x", "a//b", "a/../b", "a?b", "a#b", "a\x00", `a\b`} {
		if _, err := export.CleanPaths([]string{bad}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q accepted", bad)
		}
	}
}

func TestFormatsAndVersionsAreValidated(t *testing.T) {
	if f, err := export.ParseFormat(""); err != nil || f != export.TarGz {
		t.Errorf("default format: %v %v", f, err)
	}
	if _, err := export.ParseFormat("rar"); !fault.Is(err, fault.Invalid) {
		t.Errorf("rar: %v", err)
	}
	if _, err := export.CleanVersion("v1\n2"); !fault.Is(err, fault.Invalid) {
		t.Errorf("control character accepted: %v", err)
	}
}
