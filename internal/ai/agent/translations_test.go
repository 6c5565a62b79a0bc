package agent_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const bothLanguages = `{"name": "Kettle", "navigation": {"languages": [{"language": "en", "pages": ["index", "start"]},
{"language": "fr", "pages": ["fr/index", "fr/start"]}]}}`

// translatedFiles returns a site whose French translation has one stale page and lacks another.
func translatedFiles() map[string]string {
	return map[string]string{
		"docs.json":                 strings.Replace(bothLanguages, `, "fr/start"`, "", 1),
		"index.mdx":                 "---\ntitle: Welcome\n---\n\nSee [the start](/start).\n",
		"start.mdx":                 "---\ntitle: Start\n---\n\nBoil the kettle:\n\n```bash\nkettle boil\n```\n",
		"fr/index.mdx":              "---\ntitle: Accueil\ntranslatedFrom: v1-000000000000\n---\n\nBonjour.\n",
		"translation-glossary.json": `{"kettle": {"fr": "bouilloire"}}`,
	}
}

// input encodes the input of a call: alternating names and values.
func input(t *testing.T, pairs ...string) string {
	t.Helper()
	in := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		in[pairs[i]] = pairs[i+1]
	}
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A model translates two pages, one of them with changed code: it is asked once to correct the code, and the remaining
// difference is labelled.
func TestTranslationsAreMarkedAndCompared(t *testing.T) {
	end := `{"title": "Translate into French", "summary": "Translated two pages into French."}`
	home := input(t, "source", "index.mdx", "language", "fr", "text", "---\ntitle: Bienvenue\n---\n\nVoir [le début](/fr/start).\n")
	start := "---\ntitle: Début\n---\n\nFaites chauffer la bouilloire :\n\n```bash\nkettle boil\n```\n"
	wrong := strings.Replace(start, "kettle boil", "bouilloire chauffer", 1)
	list := input(t, "path", "docs.json", "text", bothLanguages)
	for _, c := range []struct {
		name   string
		last   []string
		labels bool
	}{
		{"corrected", []string{"translate", input(t, "source", "start.mdx", "language", "fr", "text", start), "finish", end}, false},
		{"left", []string{"finish", end}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := &script{answers: []llm.Completion{
				calling("translation_status", `{"language": "fr"}`),
				calling("translate", home, "translate", input(t, "source", "start.mdx", "language", "fr", "text", wrong), "write", list, "check", `{}`),
				calling("finish", end), calling(c.last...)}}
			r := newRig(t, worktest.New(t), model)
			r.dir = worktest.Write(t, translatedFiles())
			r.p = r.Project(t, "docs.example.com", project.Source{Path: r.dir})
			r.start("Translate the site into French")
			j, f := r.work()
			record := r.record(j)
			if f != nil || j.Status != agentjob.Completed || j.Outcome != agentjob.Changed || len(model.asked) != 4 {
				t.Fatalf("%+v %v\n%s", j, f, record)
			}
			for _, want := range []string{"stale fr/index.mdx: translation of index.mdx into fr", "missing fr/start.mdx: translation of start.mdx into fr",
				"kettle: bouilloire", "does not list fr/start yet", "note differs: These translations differ"} {
				if !strings.Contains(record, want) {
					t.Errorf("the record lacks %q:\n%s", want, record)
				}
			}
			difference := "fr/start.mdx:8:1: warning: The code block has \"bouilloire chauffer\" where start.mdx:7 has \"kettle boil\"."
			want := 3 // from translate, from check, and from the request to correct it
			if c.labels {
				want++ // for people
			}
			if n := strings.Count(record, difference); n != want {
				t.Errorf("the difference is in the record %d times:\n%s", n, record)
			}
			body := r.proposals()[0].Body
			if labelled := strings.Contains(body, "### Translations that differ from their source") && strings.Contains(body, "`fr/start.mdx:8:1`"); labelled != c.labels {
				t.Errorf("labelled: %v\n%s", labelled, body)
			}
			for _, name := range []string{"fr/index.mdx", "fr/start.mdx"} {
				text, err := exec.Command("git", "--git-dir", local.Path(r.Source.Own, r.p.ID), "show", r.branches()[0]+":"+name).Output()
				if err != nil || strings.Count(string(text), "\ntranslatedFrom: v1-") != 1 || strings.Contains(string(text), "v1-0000") {
					t.Errorf("%s: %s %v", name, text, err)
				}
			}
		})
	}
}
