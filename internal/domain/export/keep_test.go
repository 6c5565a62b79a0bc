package export_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// old returns an export that ended the given number of hours before noon, with a bundle of ten bytes.
func old(hours int, domain string) export.Stored {
	name := fmt.Sprintf("%s-%d", domain, hours)
	return export.Stored{ID: name, Domain: domain, EndedAt: noon.Add(-time.Duration(hours) * time.Hour),
		Bundles: []export.Bundle{{Key: name, Size: 10}}}
}

func names(list []export.Stored) string {
	var out []string
	for _, s := range list {
		out = append(out, s.ID)
	}
	return strings.Join(out, " ")
}

func TestOldestUnprotectedBundlesAreEvictedFirst(t *testing.T) {
	var all []export.Stored
	for _, hours := range []int{3, 6, 1, 5, 2, 4} { // in no particular order
		all = append(all, old(hours, "a"))
	}
	all = append(all, old(9, "b"), old(8, "b"))
	for _, c := range []struct {
		name   string
		max    int64
		domain string
		size   int64
		want   string
		ok     bool
	}{
		{"no cap", 0, "a", 1000, "", true},
		{"all fit", 90, "a", 10, "", true},
		{"one must go", 89, "a", 10, "a-6", true},
		{"two must go", 75, "a", 10, "a-6 a-5", true},
		{"the newest three stay, one of them the new one", 50, "a", 10, "a-6 a-5 a-4 a-3", true},
		{"a domain with two keeps both", 55, "c", 10, "a-6 a-5 a-4", false},
		{"nothing is large enough", 5, "c", 10, "a-6 a-5 a-4", false},
		{"nothing comes", 79, "", 0, "a-6", true},
	} {
		got, ok := export.Limits{MaxStored: c.max}.MakeRoom(all, c.domain, c.size, noon)
		if names(got) != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, names(got), ok, c.want, c.ok)
		}
	}
	all[1].LinkUntil = noon.Add(time.Second) // a-6
	if got, ok := (export.Limits{MaxStored: 89}).MakeRoom(all, "a", 10, noon); names(got) != "a-5" || !ok {
		t.Errorf("with a link: %q, %v", names(got), ok)
	}
	all[1].LinkUntil = noon
	if got, _ := (export.Limits{MaxStored: 89}).MakeRoom(all, "a", 10, noon); names(got) != "a-6" {
		t.Errorf("with a link that has just expired: %q", names(got))
	}
}

// A bundle shared by several exports counts once, and its space is freed when the last of them expires.
func TestSharedBundlesCountOnce(t *testing.T) {
	var all []export.Stored
	for _, hours := range []int{9, 8, 7, 3, 2, 1} {
		all = append(all, old(hours, "a"))
	}
	all[0].Bundles, all[1].Bundles = all[2].Bundles, all[2].Bundles
	if got, ok := (export.Limits{MaxStored: 50}).MakeRoom(all, "b", 10, noon); len(got) != 0 || !ok {
		t.Errorf("%q, %v", names(got), ok)
	}
	if got, ok := (export.Limits{MaxStored: 49}).MakeRoom(all, "b", 10, noon); names(got) != "a-9 a-8 a-7" || !ok {
		t.Errorf("%q, %v", names(got), ok)
	}
}

func TestOldBundlesExpireUnlessLinkIsValid(t *testing.T) {
	all := []export.Stored{old(3, "a"), old(2, "a"), old(1, "a")}
	all[0].LinkUntil = noon.Add(time.Minute)
	if got := (export.Limits{KeepFor: 90 * time.Minute}).Expired(all, noon); names(got) != "a-2" {
		t.Errorf("%q", names(got))
	}
	if got := (export.Limits{}).Expired(all, noon.Add(1000*time.Hour)); got != nil {
		t.Errorf("expired despite unlimited retention: %q", names(got))
	}
}

// Every error about a limit names the limit, its value, and who can change it.
func TestLimitErrorsNameTheLimit(t *testing.T) {
	l := export.Limits{MaxPages: 7, MaxBytes: 3 << 29, MaxTime: 90 * time.Second, MaxQueued: 5, MaxStored: 2 << 30}
	for setting, c := range map[string]struct {
		err  error
		code string
		says string
	}{
		"export.max-pages":                   {l.TooManyPages(9), "too_many_pages", "is 7"},
		"export.max-bytes":                   {l.TooLarge(), "export_too_large", "1.5 GiB"},
		"export.max-time":                    {l.TooLong(), "export_too_long", "1m30s"},
		"export.max-queued-per-organization": {l.TooManyQueued(), "too_many_exports", "5 exports"},
		"export.max-stored-bytes":            {l.OverQuota(700), "export_quota", "2 GiB"},
	} {
		f, ok := fault.As(c.err)
		if !ok || f.Code != c.code || !strings.Contains(f.Public, c.says) || !strings.Contains(f.Hint, setting) ||
			!strings.Contains(f.Hint, "operator") {
			t.Errorf("%s: %v (%s)", setting, c.err, f.Hint)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 1536: "1.5 KiB",
		10 << 30: "10 GiB", 5 << 40: "5 TiB", 3 << 50: "3072 TiB"} {
		if got := export.Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestIdentityCoversEveryInput(t *testing.T) {
	base := export.Job{OrganizationID: "o", ProjectID: "p", Domain: "d", DeploymentID: "dep", Version: "v",
		Paths: []string{"a", "b"}}
	want := base.Identify("m").Identity
	if again := (export.Job{ID: "se_other", OrganizationID: "o", ProjectID: "p", Domain: "d", DeploymentID: "dep",
		Version: "v", Paths: []string{"b", "a", "b"}, Progress: 5}).Identify("m"); again.Identity != want ||
		want == "" {
		t.Error("order, repetition or progress changes the identity")
	}
	seen := map[string]string{want: "itself"}
	for name, change := range map[string]func(*export.Job){
		"organization": func(j *export.Job) { j.OrganizationID = "x" },
		"domain":       func(j *export.Job) { j.Domain = "x" },
		"deployment":   func(j *export.Job) { j.DeploymentID = "x" },
		"version":      func(j *export.Job) { j.Version = "" },
		"paths":        func(j *export.Job) { j.Paths = []string{"ab"} },
		"every page":   func(j *export.Job) { j.Paths = nil },
	} {
		j := base
		change(&j)
		got := j.Identify("m").Identity
		if other, taken := seen[got]; taken {
			t.Errorf("%s is the same as %s", name, other)
		}
		seen[got] = name
	}
	if base.Identify("n").Identity == want {
		t.Error("making does not affect the identity")
	}
	base.DeploymentID = ""
	if base.Identify("m").Identity != "" {
		t.Error("an export of an unknown state has an identity")
	}
}

func TestEveryStageHasADescription(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range []export.Stage{export.StageQueued, export.StageFetching, export.StageScanning, export.StagePages,
		export.StageAssets, export.StagePackaging, export.StageDone} {
		text := export.Job{Status: export.Running, Stage: s, PageCount: 3, PageTotal: 9}.Sentence()
		if seen[text] || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q", s, text)
		}
		seen[text] = true
		if export.CleanStage(string(s), export.Failed) != s {
			t.Errorf("%s is not kept", s)
		}
	}
	for status, want := range map[export.Status]export.Stage{export.Queued: "queued", export.Running: "fetching",
		export.Completed: "done", export.Failed: "done"} {
		if got := export.CleanStage("Fetching the source", status); got != want { // free text of the first release
			t.Errorf("%s: %s", status, got)
		}
	}
}
