package publish_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func TestViewsShareStoredFiles(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index", "alpha"]}`, "index.mdx": "---\ntitle: Home\n---\nHello.\n",
		"alpha.mdx": "---\ntitle: Alpha\ngroups: [a]\n---\nText.\n", "img/big.png": strings.Repeat("picture", 1000),
	})
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	if err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
		for _, v := range []reader.View{reader.New("a"), reader.New("a", "unused"), reader.New("unused"), {Anonymous: true}} {
			if err := tx.AskView(t.Context(), p.ID, v); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	load := func() (main, view deploy.Manifest) {
		t.Helper()
		d := b.QueueDeployment(t, p, deploy.Production, "")
		pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
			SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: b.Now}
		if err := pub.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
		if err != nil || d.Status != deploy.Success {
			t.Fatalf("%+v %v", d, err)
		}
		if main, err = publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey); err != nil {
			t.Fatal(err)
		}
		want := []deploy.View{{View: "anonymous"}, {View: "groups=a"}} // nothing is public
		if len(main.Views) != 2 || main.Views[0] != want[0] || main.Views[1].View != want[1].View || strings.Join(main.Groups, " ") != "a" {
			t.Fatalf("views %v, groups %v", main.Views, main.Groups)
		}
		if view, err = publish.LoadManifest(t.Context(), b.Blob, main.Views[1].Manifest); err != nil || view.View != "groups=a" {
			t.Fatal(view.View, err)
		}
		needs, err := publish.Needs(t.Context(), b.Blob, main)
		keys := b.Keys(t, "")
		for _, key := range slices.Concat(main.Packs, view.Packs, []string{main.Views[1].Manifest}) {
			if err != nil || !slices.Contains(needs, key) || !slices.Contains(keys, key) {
				t.Errorf("%s is not among what the version needs: %v, %v", key, needs, err)
			}
		}
		return main, view
	}
	main, view := load()
	at := func(m deploy.Manifest, name string) (string, int64) {
		return m.Packs[m.Files[name].Pack], m.Files[name].Offset
	}
	pack, offset := at(main, "img/big.png")
	if other, place := at(view, "img/big.png"); other != pack || place != offset {
		t.Errorf("a file of two views is stored twice: %s and %s", pack, other)
	}
	before := b.Keys(t, "sites/"+p.ID+"/packs/")
	if _, again := load(); again.Files["alpha.html"].SHA256 != view.Files["alpha.html"].SHA256 {
		t.Error("the view changed")
	}
	if now := b.Keys(t, "sites/"+p.ID+"/packs/"); !slices.Equal(before, now) {
		t.Errorf("what the live views have was stored again: %v, before %v", now, before)
	}
}
