package github_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// appHost is a repository opened with an App's token.
func appHost(t *testing.T) (*github.Host, *forgetest.Rig) {
	rig, key := forgetest.GitHub(t)
	return github.New(github.Options{API: rig.URL + "/api/v3", Owner: "acme", Name: "docs", HTTP: forgetest.Client(t), Now: time.Now,
		Token: func(context.Context) (string, error) { return key, nil }, Checks: true}), rig
}

func checked(state pull.StatusState, findings int) pull.Status {
	s := pull.Status{Name: "lectern/preview", State: state, Text: "The preview is " + string(state) + ".", URL: "https://docs.example.com"}
	if findings > 0 {
		s.Findings = &pull.Findings{List: []pull.Finding{{Message: "about no file"}}}
	}
	for i := range findings {
		s.Findings.List = append(s.Findings.List, pull.Finding{File: "docs/a.mdx", Line: i, Failure: i == 0, Title: "broken-link",
			Message: fmt.Sprint("Finding ", i, ".")})
	}
	return s
}

func TestAppReportsFindingsAsCheckRunAnnotations(t *testing.T) {
	host, rig := appHost(t)
	commit := strings.Repeat("a1", 20)
	set := func(s pull.Status) []forgetest.CheckRun {
		t.Helper()
		if err := host.SetStatus(t.Context(), commit, s); err != nil {
			t.Fatal(err)
		}
		return rig.Checks("lectern/preview")
	}
	set(checked(pull.Pending, 0))
	if list := set(checked(pull.Pending, 0)); len(list) != 1 || list[0].Status != "in_progress" || list[0].Commit != commit {
		t.Fatalf("pending: %+v", list)
	}
	list := set(checked(pull.Failed, 120))
	if len(list) != 1 || list[0].Outcome != "failure" || len(list[0].Annotations) != 120 || list[0].Title != "The preview is failure." {
		t.Fatalf("failed: %d runs, %+v", len(list), list[0])
	}
	first, last := list[0].Annotations[0], list[0].Annotations[119]
	if first["annotation_level"] != "failure" || first["start_line"] != 1.0 || last["annotation_level"] != "warning" ||
		last["end_line"] != 119.0 || last["path"] != "docs/a.mdx" || last["message"] != "Finding 119." {
		t.Errorf("%v, %v", first, last)
	}
	if list := set(checked(pull.Failed, 120)); len(list) != 1 || len(list[0].Annotations) != 120 {
		t.Errorf("a repeated report: %d runs, annotations %d", len(list), len(list[0].Annotations))
	}
	if list := set(checked(pull.Failed, 2)); len(list) != 2 || len(list[1].Annotations) != 2 { // the newest run counts
		t.Errorf("another result: %+v", list)
	}
	if list := set(checked(pull.Succeeded, 0)); len(list) != 3 || list[2].Outcome != "success" {
		t.Errorf("without findings: %+v", list)
	}
	if got := rig.Status(t, commit, "lectern/preview"); got != (pull.Status{}) {
		t.Errorf("there is a status in addition to the check run: %+v", got)
	}
	if err := host.SetStatus(t.Context(), "main", checked(pull.Pending, 0)); err == nil {
		t.Error("a branch was accepted as a commit")
	}
}

func TestAppWithoutChecksPermissionSetsStatus(t *testing.T) {
	host, rig := appHost(t)
	rig.Uncheck()
	commit := strings.Repeat("a1", 20)
	if err := host.SetStatus(t.Context(), commit, checked(pull.Failed, 3)); err != nil {
		t.Fatal(err)
	}
	if got := rig.Status(t, commit, "lectern/preview"); got.State != pull.Failed || len(rig.Checks("lectern/preview")) != 0 {
		t.Errorf("%+v", got)
	}
}

// Rate limits and missing permissions both result in a 403. A status set instead of the check run would remain next to
// it forever.
func TestCheckRunRateLimitSetsNoStatus(t *testing.T) {
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		w.Header().Set("Retry-After", "40")
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	host := github.New(github.Options{API: server.URL, Owner: "acme", Name: "docs", HTTP: forgetest.Client(t), Now: time.Now,
		Token: func(context.Context) (string, error) { return "t", nil }, Checks: true})
	err := host.SetStatus(t.Context(), strings.Repeat("a1", 20), checked(pull.Succeeded, 0))
	if f, ok := fault.As(err); !ok || f.Code != "forge_busy" || f.RetryAfter != 40*time.Second || len(paths) != 1 ||
		!strings.HasSuffix(paths[0], "/check-runs") {
		t.Errorf("%v after %v", err, paths)
	}
}
