package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// database writes a vulnerability database in the published format with two entries about a module that testdata/calls
// uses: one about a function that it calls and one about a function that it does not call.
func database(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const module, modified = "golang.org/x/mod", "2026-01-01T00:00:00Z"
	entry := func(id, symbol string) map[string]any {
		return map[string]any{
			"schema_version": "1.3.1", "id": id, "modified": modified, "published": modified, "summary": "A test.",
			"details": "A test.",
			"affected": []any{map[string]any{
				"package": map[string]any{"name": module, "ecosystem": "Go"},
				"ranges": []any{map[string]any{"type": "SEMVER",
					"events": []any{map[string]any{"introduced": "0"}}}},
				"ecosystem_specific": map[string]any{"imports": []any{map[string]any{"path": module + "/semver",
					"symbols": []any{symbol}}}},
			}},
			"database_specific": map[string]any{"url": "https://example.com/" + id},
		}
	}
	ids := map[string]string{"GO-2026-0001": "Compare", "GO-2026-0002": "MajorMinor"}
	var list []any
	for id, symbol := range ids {
		list = append(list, map[string]any{"id": id, "modified": modified})
		put(t, dir, "ID/"+id+".json", entry(id, symbol))
	}
	put(t, dir, "index/db.json", map[string]any{"modified": modified})
	put(t, dir, "index/modules.json", []any{map[string]any{"path": module, "vulns": list}})
	put(t, dir, "index/vulns.json", list)
	return "file://" + dir
}

func put(t *testing.T, dir, name string, value any) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// S3: a program that calls a function with a known vulnerability is refused, unless the policy accepts it temporarily
// and with a reason. Functions that are not called do not count, and unnecessary entries of the policy are refused.
func TestCalledVulnerabilitiesAreRefused(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	db := database(t)
	for name, c := range map[string]struct{ policy, want string }{
		"nothing accepted": {`[]`, "GO-2026-0001: golang.org/x/mod/semver.Compare is called"},
		"accepted":         {`[{"id":"GO-2026-0001","until":"2026-03-04","reason":"Not reachable from outside."}]`, ""},
		"expired": {`[{"id":"GO-2026-0001","until":"2026-03-03","reason":"Not reachable from outside."}]`,
			"accepted until 2026-03-03, which has passed"},
		"without a reason": {`[{"id":"GO-2026-0001","until":"2026-03-04","reason":" "}]`, `a "reason"`},
		"not called": {
			`[{"id":"GO-2026-0001","until":"2026-03-04","reason":"x"},{"id":"GO-2026-0002","until":"2026-03-04","reason":"x"}]`,
			"GO-2026-0002: accepted by the policy, but not found: remove the entry"},
		"unknown field": {`[{"id":"GO-2026-0001","until":"2026-03-04","reason":"x","note":""}]`, "decode policy"},
	} {
		t.Run(name, func(t *testing.T) {
			policy := filepath.Join(t.TempDir(), "policy.json")
			if err := os.WriteFile(policy, []byte(c.policy), 0o600); err != nil {
				t.Fatal(err)
			}
			err := run(t.Context(), ".", db, policy, []string{"./testdata/calls"}, now)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A failed scan is never mistaken for one that found nothing.
func TestFailedScanIsAnError(t *testing.T) {
	for name, c := range map[string]struct{ db, pkg string }{
		"no database": {"file://" + t.TempDir(), "./testdata/calls"},
		"no package":  {database(t), "./testdata/nothing"},
	} {
		if found, err := called(t.Context(), ".", c.db, []string{c.pkg}); err == nil {
			t.Errorf("%s: found %v", name, found)
		}
	}
	if _, err := parse(strings.NewReader("")); err == nil {
		t.Error("an empty response is accepted as a scan")
	}
}

func TestRepositoryPolicyIsWellFormed(t *testing.T) {
	raw, err := os.ReadFile("accepted.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []accepted
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if _, err := time.Parse(time.DateOnly, a.Until); err != nil || a.Reason == "" ||
			!strings.HasPrefix(a.ID, "GO-") {
			t.Errorf("%+v", a)
		}
	}
}
