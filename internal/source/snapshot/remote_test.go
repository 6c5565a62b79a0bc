package snapshot_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// F8: API descriptions are stored unchanged and replace files of the source with the same name; a damaged copy is an
// error.
func TestStoredAPIDescriptionsRoundTrip(t *testing.T) {
	b := worktest.New(t)
	for name, source := range map[string]map[string]string{
		"ordinary": {"index.mdx": "x"}, "index": {
			".lectern/remote/index.json": `[{"url":"https://a.example","sha256":"x"}]`},
		"file-in-the-way": {".lectern": "x"},
	} {
		want := openapi.Copy{URL: "https://b.example", Data: []byte("openapi: 3.1.0"),
			At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
		key := snapshot.Key("p", name)
		if err := b.Source.Save(t.Context(), key, fetch(t, b, folderOf(t, source), nil), []openapi.Copy{want}); err != nil {
			t.Fatal(name, err)
		}
		stored := open(t, b, key)
		got, err := snapshot.Remote(stored.FS)
		c := got[want.URL]
		if err != nil || len(got) != 1 || string(c.Data) != string(want.Data) || !c.At.Equal(want.At) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		if data, err := snapshot.Replay(got, nil)(t.Context(), want.URL); err != nil ||
			string(data) != string(want.Data) {
			t.Errorf("%s: %q %v", name, data, err)
		}
		if _, err := snapshot.Replay(got, nil)(t.Context(), "https://a.example"); err == nil {
			t.Errorf("%s: an address that was not stored has a description", name)
		}
		again := snapshot.Key("p", "again-"+name)
		if err := b.Source.Save(t.Context(), again, stored, nil); err != nil {
			t.Fatal(name, err)
		}
		if got, err := snapshot.Remote(open(t, b, again).FS); err != nil || len(got) != 0 {
			t.Errorf("%s: descriptions of an earlier update were stored again: %v %v", name, got, err)
		}
	}
	if got, err := snapshot.Remote(fstest.MapFS{}); got != nil || err != nil {
		t.Errorf("a source of an earlier release: %v %v", got, err)
	}
	damaged := fstest.MapFS{".lectern/remote/index.json": {Data: []byte(`[{"url":"https://b.example","sha256":"00"}]`)},
		".lectern/remote/00": {Data: []byte("other")}}
	if _, err := snapshot.Remote(damaged); err == nil {
		t.Error("a damaged copy was read")
	}
}
