package snapshot_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// F8: API descriptions are stored unchanged and replace files of the source with the same name; a damaged copy is an
// error.
func TestStoredAPIDescriptionsRoundTrip(t *testing.T) {
	for name, source := range map[string]map[string]string{
		"nothing": {}, "an index of the author's": {
			".lectern/remote/index.json": `[{"url":"https://a.example","sha256":"x"}]`},
		"a file in the way": {".lectern": "x"},
	} {
		dir := worktest.Write(t, source)
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		want := openapi.Copy{URL: "https://b.example", Data: []byte("openapi: 3.1.0"), At: at}
		if err := snapshot.KeepRemote(dir, []openapi.Copy{want}); err != nil {
			t.Fatal(name, err)
		}
		got, err := snapshot.Remote(os.DirFS(dir))
		c := got[want.URL]
		if err != nil || len(got) != 1 || string(c.Data) != string(want.Data) || !c.At.Equal(at) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		if data, err := snapshot.Replay(got, nil)(t.Context(), want.URL); err != nil ||
			string(data) != string(want.Data) {
			t.Errorf("%s: %q %v", name, data, err)
		}
		if _, err := snapshot.Replay(got, nil)(t.Context(), "https://a.example"); err == nil {
			t.Errorf("%s: an address that was not stored has a description", name)
		}
		files, _ := filepath.Glob(filepath.Join(dir, ".lectern/remote/*"))
		for _, f := range files {
			if filepath.Base(f) != "index.json" && os.WriteFile(f, []byte("other"), 0o600) != nil {
				t.Fatal("damage the copy")
			}
		}
		if _, err := snapshot.Remote(os.DirFS(dir)); err == nil {
			t.Errorf("%s: a damaged copy was read", name)
		}
	}
	if got, err := snapshot.Remote(os.DirFS(t.TempDir())); got != nil || err != nil {
		t.Errorf("a source of an earlier release: %v %v", got, err)
	}
}
