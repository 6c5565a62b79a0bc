package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

const sample = `Text that stays.

**0 of 0 claims** are proven.

| Id | Claim | Proved by |
|---|---|---|
| J1 | One. | |
| J2 | Two. | written by hand |

| Id | What is not proven |
|---|---|
| J2 | A part. |

| Id | Claim | Why it is not proven |
|---|---|---|
| J3 | Three. | No server. |
`

var sampleTests = fstest.MapFS{
	"internal/a/a_test.go": {Data: []byte(`//go:build special

package a

// J1: one.
func TestB(t *testing.T) {}

// J1, J2: one and
// two.
func TestA(t *testing.T) {}

// J1 and J2: both.
func FuzzC(f *testing.F) {}

// J9: a helper states nothing.
func helper(t *testing.T) {}

// Mentions J9, and ends with it (J9).
func TestMentions(t *testing.T) {}

// J9: a method is not a test.
func (x) TestMethod(t *testing.T) {}
`)},
	"internal/a/night_test.go": {
		Data: []byte("//go:build nightly\n\npackage a\n\n// J2: two.\nfunc TestLate(t *testing.T) {}\n")},
	"internal/a/a.go": {Data: []byte("package a\n\n// J9: not a test.\nfunc TestLike() {}\n")},
	"internal/a/atest/suite.go": {
		Data: []byte("package atest\n\n// J2: a suite.\nfunc testSuite(t *testing.T) {}\n")},
	"internal/a/testdata/b_test.go":    {Data: []byte("package a\n\n// J9: test data.\nfunc TestX(t *testing.T) {}\n")},
	"web/npm/node_modules/x/x_test.go": {Data: []byte("not Go")},
}

func TestCollectFindsStatedClaims(t *testing.T) {
	got, err := collect(sampleTests)
	want := []proof{
		{"internal/a", "FuzzC", []string{"J1", "J2"}, false},
		{"internal/a", "TestA", []string{"J1", "J2"}, false},
		{"internal/a", "TestB", []string{"J1"}, false},
		{"internal/a", "TestLate", []string{"J2"}, true},
		{"internal/a/atest", "testSuite", []string{"J2"}, false},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("collected %v, %v\nwant %v", got, err, want)
	}
}

func TestRenderWritesColumnsAndCount(t *testing.T) {
	tests, err := collect(sampleTests)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePage(sample)
	if err != nil || p.validate(tests) != nil {
		t.Fatal(err, p.validate(tests))
	}
	want := strings.NewReplacer(
		"**0 of 0 claims** are proven.",
		"**2 of 3 claims** are proven by tests, 1 of them with stated limits; 1 are not proven.",
		"| J1 | One. | |", "| J1 | One. | `internal/a`: FuzzC, TestA, TestB |",
		"written by hand", "`internal/a`: FuzzC, TestA, TestLate<br />`internal/a/atest`: testSuite").Replace(sample)
	got := p.render(tests)
	if got != want {
		t.Errorf("rendered\n%s\nwant\n%s", got, want)
	}
	again, err := parsePage(got)
	if err != nil || again.render(tests) != got {
		t.Errorf("a second run changes the page (error %v)", err)
	}
}

func TestContradictionsAreReported(t *testing.T) {
	both := []proof{{"p", "TestA", []string{"J1", "J2"}, false}}
	for name, c := range map[string]struct {
		page  string
		tests []proof
		want  string
	}{
		"claim without a test": {sample, []proof{{"p", "TestA", []string{"J1"}, false}},
			`J2 has no test: no doc comment begins with "J2:"`},
		"nightly tests only": {sample, []proof{{"p", "TestA", []string{"J1"}, false}, {"p", "TestB", []string{"J2"}, true}},
			"J2 is proven only by nightly tests"},
		"unknown id": {sample, append(both, proof{"p", "TestX", []string{"K7"}, false}),
			"TestX in p states K7, which has no row"},
		"open claim with a test": {sample, append(both, proof{"p", "TestX", []string{"J3"}, false}),
			"J3 has a test: move its row to a table of proven claims"},
		"no reason": {strings.Replace(sample, "No server.", "", 1), both,
			"J3 has no reason why it is not proven"},
		"row twice": {sample + "| J1 | Again. | Because. |\n", both, "J1 has two rows"},
		"missing row": {strings.Replace(sample, "| J2 | Two. | written by hand |\n", "", 1), both[:0],
			"J3 has a row, but J2 has none"},
		"limits of nothing": {strings.Replace(sample, "| J2 | A part. |", "| J3 | A part. |", 1), both,
			"J3 has limits but no row in a table of proven claims"},
	} {
		p, err := parsePage(c.page)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := p.validate(c.tests); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for name, text := range map[string]string{
		"unknown head":  "| Id | Claim |\n",
		"missing cells": provenHead + "\n|---|---|---|\n| J1 |\n",
		"bad id":        provenHead + "\n|---|---|---|\n| one | One. | x |\n",
	} {
		if _, err := parsePage(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCheckFailsUntilPageIsWritten(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, sampleTests); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "claims.mdx")
	if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(root, "", file, &out); err == nil || !strings.Contains(err.Error(), "run make claims") {
		t.Errorf("check of an old page: %v", err)
	}
	if err := run(root, file, "", &out); err != nil {
		t.Fatal(err)
	}
	if err := run(root, "", file, &out); err != nil || !strings.Contains(out.String(), "2 of 3") {
		t.Errorf("check of a new page: %v, %s", err, out.String())
	}
}
