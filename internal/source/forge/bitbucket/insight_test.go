package bitbucket_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/bitbucket"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

func TestFindingsAreAnnotationsOfOneReport(t *testing.T) {
	cloud, cloudKey := forgetest.Bitbucket(t)
	center, centerKey := forgetest.BitbucketCenter(t)
	for name, c := range map[string]struct {
		rig            *forgetest.Rig
		open           func(string, forgetest.Access) pull.Host
		passed, failed string
		text           string
	}{
		"cloud": {cloud, opener(t, cloudKey, "/2.0", "acme", func(o bitbucket.Options) pull.Host { return bitbucket.NewCloud(o) }),
			"PASSED", "FAILED", "summary"},
		"data center": {center, opener(t, centerKey, "/rest/api/1.0", "ACME",
			func(o bitbucket.Options) pull.Host { return bitbucket.NewCenter(o) }), "PASS", "FAIL", "message"},
	} {
		t.Run(name, func(t *testing.T) {
			host, commit := c.open(c.rig.URL, forgetest.Right).(pull.Reporter), strings.Repeat("a1", 20)
			set := func(state pull.StatusState, findings int) []forgetest.Report {
				t.Helper()
				s := pull.Status{Name: "lectern/docs-abc234", State: state, Text: "Ready.", URL: "https://docs.example.com"}
				if findings > 0 {
					s.Findings = &pull.Findings{List: []pull.Finding{{Message: "about no file"}}}
				}
				for i := range findings {
					s.Findings.List = append(s.Findings.List, pull.Finding{File: "docs/a.mdx", Line: i, Failure: i == 0,
						Title: "broken-link", Message: fmt.Sprint("Finding ", i, ".")})
				}
				if err := host.SetStatus(t.Context(), commit, s); err != nil {
					t.Fatal(err)
				}
				if got := c.rig.Status(t, commit, s.Name); got.State != state {
					t.Errorf("the status is %q, want %q", got.State, state)
				}
				return c.rig.Reports()
			}
			if got := set(pull.Pending, 0); len(got) != 0 {
				t.Errorf("pending: %+v", got)
			}
			got := set(pull.Failed, 120)
			if len(got) != 1 || got[0].Key != "lectern-docs-abc234" || got[0].Commit != commit || got[0].Result != c.failed ||
				len(got[0].Annotations) != 120 {
				t.Fatalf("failed: %+v", got)
			}
			first, last := got[0].Annotations[0], got[0].Annotations[119]
			if first["severity"] != "HIGH" || last["severity"] != "LOW" || last["line"] != 119.0 || last["path"] != "docs/a.mdx" ||
				last[c.text] != "Finding 119." {
				t.Errorf("%v, %v", first, last)
			}
			if got := set(pull.Succeeded, 2); len(got) != 1 || len(got[0].Annotations) != 2 || got[0].Result != c.passed {
				t.Errorf("built again: %+v", got)
			}
			if got := set(pull.Succeeded, 0); len(got) != 0 {
				t.Errorf("after the correction: %+v", got)
			}
			c.rig.Uncheck()
			if got := set(pull.Failed, 2); len(got) != 0 { // the status is set nevertheless
				t.Errorf("without the permission: %+v", got)
			}
		})
	}
}
