package githost

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestPathIdentifiesAtMostOneRepository(t *testing.T) {
	for path, want := range map[string][3]string{
		project.GitPath("org_a", "prj_b"):                {"org_a", "prj_b", ""},
		project.GitPath("org_a", "prj_b") + "/info/refs": {"org_a", "prj_b", "info/refs"},
		"/git/org_a/prj_b/info/refs":                     {},
		"/git/org_a/.git/x":                              {"org_a", "", "x"},
		"/git/":                                          {},
		"/git/org_a":                                     {},
		"/git/org_a/../prj_b.git":                        {},
	} {
		organization, name, rest := split(path)
		if got := [3]string{organization, name, rest}; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestClonesAreLimitedInTotalAndPerOrganization(t *testing.T) {
	s := newSlots(3, 2)
	var leave []func()
	for _, organization := range []string{"a", "a", "b"} {
		l, err := s.enter(organization)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	for _, organization := range []string{"a", "b", "c"} {
		if _, err := s.enter(organization); !fault.HasCode(err, "too_many_clones") {
			t.Errorf("%s: %v", organization, err)
		}
	}
	leave[2]()
	leave[2]() // releasing twice counts once
	if _, err := s.enter("a"); !fault.HasCode(err, "too_many_clones") {
		t.Errorf("an organization exceeded its share: %v", err)
	}
	if _, err := s.enter("c"); err != nil {
		t.Error(err)
	}
	for _, l := range leave {
		l()
	}
	if s.busy != 1 || len(s.of) != 1 {
		t.Errorf("%d are busy, of %v", s.busy, s.of)
	}
}

func TestBodyIsPlainOrGzip(t *testing.T) {
	for encoding, code := range map[string]string{"": "", "gzip": "bad_body", "br": "unsupported_encoding"} {
		r := httptest.NewRequest("POST", "/", strings.NewReader("no gzip"))
		r.Header.Set("Content-Encoding", encoding)
		if _, err := body(httptest.NewRecorder(), r); (code == "") != (err == nil) ||
			code != "" && !fault.HasCode(err, code) {
			t.Errorf("%q: %v", encoding, err)
		}
	}
}
