package publish_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// A deployment records the progress of its site's translations, with a limited number of pages; a site with one
// language has no translations.
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

// Languages of several versions are counted together, and pages that only some readers see are included.
func TestTranslationsOfVersionsAndOfGroupsCount(t *testing.T) {
	languages := func(v string) string {
		return `{"version":"` + v + `","languages":[{"language":"en","pages":["` + v + `/a","` + v + `/b"]},{"language":"fr","pages":["` +
			v + `/fr/a","` + v + `/fr/b"]}]}`
	}
	files := map[string]string{"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"versions":[` +
		languages("v2") + "," + languages("v1") + `]}}`}
	for _, v := range []string{"v1", "v2"} {
		files[v+"/a.mdx"], files[v+"/fr/a.mdx"] = "---\ntitle: A\n---\nText.\n", "---\ntitle: A\n---\nTexte.\n"
		files[v+"/b.mdx"], files[v+"/fr/b.mdx"] = "---\ntitle: B\n---\nText.\n", "---\ntitle: B\ngroups: [staff]\n---\nTexte.\n"
	}
	b := worktest.New(t)
	d := deployNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	if want := []deploy.Translation{{Language: "fr", Unmarked: 4}}; !reflect.DeepEqual(d.Translations, want) {
		t.Errorf("%s: %+v", d.Error, d.Translations)
	}
}
