package publish_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A deployment knows how far the translations of its site are, up to a number of pages; a site with one language has none.
func TestDeploymentKnowsHowFarTranslationsAre(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	if d := deployNow(t, b, p, deploy.Production); d.Status != deploy.Success || d.Translations != nil {
		t.Fatalf("a site with one language: %+v", d)
	}
	files := map[string]string{
		"index.mdx":    "---\ntitle: Home\n---\nWelcome.\n",
		"fr/index.mdx": "---\ntitle: Accueil\ntranslatedFrom: v1-000000000000\n---\nBienvenue.\n",
		"de/index.mdx": "---\ntitle: Start\n---\nWillkommen.\n",
	}
	pages := `"index"`
	for i := range deploy.MaxBehind + 1 {
		files[fmt.Sprintf("p%d.mdx", i)] = fmt.Sprintf("---\ntitle: Page %d\n---\nText.\n", i)
		pages += fmt.Sprintf(`,"p%d"`, i)
	}
	files["docs.json"] = `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"languages":[
		{"language":"en","pages":[` + pages + `]},{"language":"fr","pages":["fr/index"]},{"language":"de","pages":["de/index"]}]}}`
	p = b.Project(t, "more.example.com", project.Source{Path: worktest.Write(t, files)})
	d := deployNow(t, b, p, deploy.Production)
	if d.Status != deploy.Success || len(d.Translations) != 2 {
		t.Fatalf("%s, %+v", d.Error, d.Translations)
	}
	fr, de := d.Translations[0], d.Translations[1]
	if fr.Language != "fr" || fr.Stale != 1 || fr.Missing != deploy.MaxBehind+1 || !fr.Truncated || len(fr.Behind) != deploy.MaxBehind ||
		!reflect.DeepEqual(fr.Behind[:2], []deploy.BehindPage{{Path: "fr/index", Source: "index", State: "stale"},
			{Path: "fr/p0", Source: "p0", State: "missing"}}) {
		t.Errorf("fr: %+v", fr)
	}
	if de.Language != "de" || de.Unmarked != 1 || de.Stale != 0 || de.Behind[0].Path != "de/p0" {
		t.Errorf("de: %+v", de)
	}
}
