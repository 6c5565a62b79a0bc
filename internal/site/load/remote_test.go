package load

import (
	"context"
	"errors"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// F8: a preview keeps the last usable description in memory while the host returns an unusable response.
func TestMemoKeepsTheLastUsableDescription(t *testing.T) {
	src := files(map[string]string{
		"docs.json": `{"name": "x", "navigation": [{"group": "API", "openapi": "https://example.com/x.json"}]}`,
		"index.mdx": "Hello"})
	answer, failure := `{"openapi": "3.1.0", "info": {}, "paths": {"/pets": {"get": {"summary": "List pets"}}}}`,
		error(nil)
	o := Options{Memo: NewMemo(),
		Fetch: func(context.Context, string) ([]byte, error) { return []byte(answer), failure }}
	look := func() (*Loaded, diag.List) {
		t.Helper()
		o.Memo.Forget([]string{"docs.json"})
		l, list, err := Load(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		return l, list
	}
	if l, list := look(); l.Site.Find("api-reference/list-pets") == nil || len(list) > 0 || len(l.Unread) > 0 {
		t.Fatalf("%+v %v", l.Site.Paths(), list)
	}
	for _, step := range []struct {
		answer string
		err    error
	}{{"", nil}, {"<html>", nil}, {"", errors.New("the host returned status 500")}} {
		answer, failure = step.answer, step.err
		if l, list := look(); l.Site.Find("api-reference/list-pets") == nil || codes(list) != "docs.json spec-kept" ||
			!list.HasErrors() || len(l.Unread) > 0 {
			t.Errorf("%+v: %v %v", step, l.Site.Paths(), list)
		}
	}
	o.Memo = NewMemo()
	if l, list := look(); l.Site.Find("api-reference/list-pets") != nil ||
		codes(list) != "docs.json spec-not-fetched" || !list.HasErrors() || len(l.Unread) != 1 {
		t.Errorf("without a copy: %v %v", l.Site.Paths(), list)
	}
}
