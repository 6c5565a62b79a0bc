package agent_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// connect stores the product repository server, which citations refer to.
func (r *rig) connect(dir string) {
	r.t.Helper()
	r.check(r.Store.Tx(r.t.Context(), func(tx *store.Tx) error {
		_, err := tx.CreateProduct(r.t.Context(), project.Product{OrganizationID: r.Organization.ID, ProjectID: r.p.ID,
			Name: "server", Source: project.Source{Repository: "file://" + dir}})
		return err
	}))
}

const citesPort = `{"page": "guides/start.mdx", "repository": "server", "path": "api/port.go", "line": 4, ` +
	`"quotation": "const Port = 8080"}`

// A round that changes a page without citing again keeps the citations of earlier rounds, and reviewers still see them.
func TestLaterRoundKeepsCitations(t *testing.T) {
	model := &script{answers: append(append([]llm.Completion{calling("cite", citesPort)}, fixing()...),
		calling("edit", `{"path": "guides/start.mdx", "old": "water", "new": "tea"}`,
			"finish", `{"title": "Tea", "summary": "Tea is better."}`))}
	r, dir := productScene(t, model)
	r.connect(dir)
	j := r.start("Fix the typo")
	r.work()
	r.send(j, "Say tea")
	j, f := r.work()
	list, _, err := r.Store.ListReceipts(t.Context(), r.Organization.ID, r.p.ID, "", store.Page{Limit: 10})
	if f != nil || j.Round != 2 || err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v, %v\n%s", list, err, f, r.record(j))
	}
	if body := r.proposals()[0].Body; strings.Count(body, "`const Port = 8080`") != 1 {
		t.Errorf("%s", body)
	}
}

// A round continues after a crash even if the code that it cited can no longer be read; the citation is dropped.
func TestResumedRoundDropsCitationOfLostRepository(t *testing.T) {
	r, dir := productScene(t, &script{answers: append([]llm.Completion{calling("cite", citesPort)}, fixing()...)})
	r.connect(dir)
	r.start("Fix the typo")
	r.dying("checked")
	r.runner.Products = func(context.Context, project.Project) ([]agent.Product, error) {
		return []agent.Product{{Name: "server", Remote: git.Remote{Local: true, URL: filepath.Join(dir, "none"), Branch: "main"}}},
			nil
	}
	j, f := r.work()
	if f != nil || j.PRNumber == 0 || strings.Contains(r.proposals()[0].Body, "8080") {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
}

// A citation must match the code at the given line. It is kept for the pages that were changed, and reviewers see it.
func TestCitationsAreCheckedKeptAndShown(t *testing.T) {
	cite := func(page, path, line, quotation string, sentence ...string) []string {
		return []string{"cite", `{"page": "` + page + `", "repository": "server", "path": "` + path + `", "line": ` + line +
			`, "quotation": "` + quotation + `", "sentence": "` + strings.Join(sentence, "") + `"}`}
	}
	var calls []string
	for _, c := range [][]string{
		cite("guides/start.mdx", "api/port.go", "4", "const Port = 8080", "[Gone](/nowhere)"),
		cite("guides/start.mdx", "api/port.go", "4", "const Port = 9090"),
		cite("guides/start.mdx", "api/port.go", "2", "const Port = 8080"),
		cite("guides/none.mdx", "api/port.go", "4", "const Port = 8080"),
		cite("guides/start.mdx", "api/link", "1", "root"),
		cite("guides/start.mdx", "../port.go", "1", "x"),
		cite("guides/start.mdx", "api/port.go", "4", "const Port = 8080", "It listens on port 1."),
		cite("index.mdx", "README.md", "1", "# Server"), // not changed by the round
	} {
		calls = append(calls, c...)
	}
	edit := fixing()
	model := &script{answers: append([]llm.Completion{calling(calls...)}, edit...)}
	r, dir := productScene(t, model)
	head := testgit.Run(t, dir, "rev-parse", "HEAD")
	r.connect(dir)
	r.start("Fix the typo")
	j, f := r.work()
	if f != nil || j.PRNumber == 0 {
		t.Fatalf("%+v %v\n%s", j, f, r.record(j))
	}
	var results []llm.Result
	for _, turn := range model.asked[len(model.asked)-1].Turns {
		results = append(results, turn.Results...)
	}
	for i, why := range []string{"", "does not have this quotation", "is at line 4", "there is no file", "no text file", "", "does not have this sentence", ""} {
		failed := i >= 1 && i <= 6
		if results[i].Failed != failed || !strings.Contains(strings.ToLower(results[i].Text), why) {
			t.Errorf("citation %d: %+v", i, results[i])
		}
	}
	list, _, err := r.Store.ListReceipts(t.Context(), r.Organization.ID, r.p.ID, "", store.Page{Limit: 10})
	if err != nil || len(list) != 1 || list[0].Page != "guides/start.mdx" || list[0].Line != 4 || list[0].Commit != head ||
		list[0].JobID != j.ID || list[0].Product != "server" || list[0].StaleAt != nil {
		t.Errorf("%+v, %v", list, err)
	}
	body := r.proposals()[0].Body
	if want := "- `guides/start.mdx`: `api/port.go`, line 4, at commit " + head[:12] + " of `server`: `const Port = 8080`\n  for the sentence `[Gone](/nowhere)`\n"; !strings.Contains(body, want) || strings.Contains(body, "README.md") {
		t.Errorf("%s", body)
	}
}
