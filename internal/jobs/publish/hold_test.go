package publish_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// confirmed publishes a project as someone who accepts the loss of pages.
func confirmed(t *testing.T, b *worktest.Env, pub *publish.Publisher, p project.Project) deploy.Deployment {
	t.Helper()
	var d deploy.Deployment
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), p, deploy.Production, "", deploy.Confirmed)
		return err
	})
	if err == nil {
		err = pub.Run(t.Context(), b.Take(t))
	}
	if err == nil {
		d, err = b.Store.FindDeploymentByID(t.Context(), d.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wantLive(t *testing.T, b *worktest.Env, p project.Project, d deploy.Deployment) {
	t.Helper()
	if live, err := b.Store.FindLive(t.Context(), p.Domains[0]); err != nil || live.DeploymentID != d.ID {
		t.Errorf("live is %s, want %s: %v", live.DeploymentID, d.ID, err)
	}
}

// guides returns n pages of a folder.
func guides(folder string, n int) map[string]string {
	files := map[string]string{folder + "docs.json": `{"name":"T"}`}
	for i := range n {
		files[fmt.Sprintf("%spage%02d.mdx", folder, i)] = "---\ntitle: Page\n---\nText.\n"
	}
	return files
}

// F8: if a valid description has lost most of its operations, the update is held: the error lists the pages that would
// be lost, the live site stays, and the audit log records it. Confirming the update publishes it.
func TestShrunkenRemoteDescriptionHoldsTheUpdate(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	host.says(goodSpec(30))
	dir := worktest.Write(t, remoteSite(host.URL+"/openapi.json"))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	first := update(t, b, pub, p)
	host.says(goodSpec(2))
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Home\n---\nChanged.\n"})
	d := update(t, b, pub, p)
	found, ok := finding(d, "update-held")
	if d.Status != deploy.Failure || !ok || !strings.Contains(d.Error, "28 of 32 pages") ||
		!strings.Contains(d.Error, "and 18 more") || !strings.Contains(d.Error, "api-reference/get-things-10") ||
		!strings.Contains(d.Error, host.URL) || !strings.Contains(found.Hint, "acceptRemovals") {
		t.Fatalf("%s %q %+v", d.Status, d.Error, d.Diagnostics)
	}
	wantLive(t, b, p, first)
	events, err := b.Store.ListEvents(t.Context(), p.OrganizationID, 0, 10)
	if err != nil || !slices.ContainsFunc(events,
		func(e event.Event) bool { return e.Action == "deployment.hold" && e.Target == d.ID }) {
		t.Errorf("%+v %v", events, err)
	}
	again := confirmed(t, b, pub, p)
	if again.Status != deploy.Success || len(apiPages(t, b, again)) != 2 {
		t.Errorf("%+v", again)
	}
	wantLive(t, b, p, again)
	if d := update(t, b, pub, p); d.Status != deploy.Success {
		t.Errorf("after it was confirmed: %+v", d)
	}
}

// The limit is a percentage: updates that remove no more than that, or no more than the operator allows, are published.
func TestFewRemovedPagesDoNotHoldTheUpdate(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	host.says(goodSpec(18))
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, remoteSite(host.URL+"/openapi.json"))})
	update(t, b, pub, p)
	host.says(goodSpec(8)) // 10 of 20 pages: not more than half
	if d := update(t, b, pub, p); d.Status != deploy.Success {
		t.Errorf("%+v", d)
	}
	pub.MaxRemoved = 30
	host.says(goodSpec(4)) // 4 of 10 pages
	if d := update(t, b, pub, p); d.Status != deploy.Failure {
		t.Errorf("%+v", d)
	}
	pub.MaxRemoved = 100
	host.says(goodSpec(1))
	if d := update(t, b, pub, p); d.Status != deploy.Success {
		t.Errorf("%+v", d)
	}
}

// Authors may remove anything: files, an API description from the site file, and operations from a description in the
// folder.
func TestAuthorsRemovalsAreNotHeld(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	host.says(goodSpec(30))
	local := `{"name":"T","navigation":{"groups":[{"group":"API","openapi":"openapi.json"}]}}`
	for name, c := range map[string]struct {
		before map[string]string
		change func(dir string)
	}{
		"files": {guides("", 20), func(dir string) {
			for i := range 18 {
				_ = os.Remove(filepath.Join(dir, fmt.Sprintf("page%02d.mdx", i)))
			}
		}},
		"an address": {remoteSite(host.URL + "/openapi.json"), func(dir string) {
			worktest.Rewrite(t, dir, map[string]string{"docs.json": site["docs.json"]})
		}},
		"operations": {map[string]string{"index.mdx": "Hello.", "docs.json": local, "openapi.json": goodSpec(20)},
			func(dir string) {
				worktest.Rewrite(t, dir, map[string]string{"openapi.json": goodSpec(1)})
			}},
		"a description": {map[string]string{"index.mdx": "Hello.", "docs.json": local, "openapi.json": goodSpec(20)},
			func(dir string) {
				_ = os.Remove(filepath.Join(dir, "openapi.json"))
				worktest.Rewrite(t, dir, map[string]string{"docs.json": `{"name":"T"}`})
			}},
	} {
		dir := worktest.Write(t, c.before)
		p := b.Project(t, strings.ReplaceAll(name, " ", "-")+".example.com", project.Source{Path: dir})
		before := update(t, b, pub, p)
		c.change(dir)
		d := update(t, b, pub, p)
		if before.Status != deploy.Success || d.Status != deploy.Success || d.PageCount >= before.PageCount/2 {
			t.Errorf("%s: %d pages, then %s %q with %d", name, before.PageCount, d.Status, d.Error, d.PageCount)
		}
	}
}

// An update is held if pages would be lost because a setting points elsewhere, or because the description in the folder
// cannot be read.
func TestUnexplainedRemovalsAreHeld(t *testing.T) {
	b := worktest.New(t)
	files := guides("docs/", 12)
	for name, text := range guides("other/", 1) {
		files[name] = text
	}
	files["other/only.mdx"] = "Only.\n"
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)})
	folder := func(name string) {
		p.DocsFolder = name
		if err := b.Store.Tx(t.Context(),
			func(tx *store.Tx) (err error) { p, err = tx.UpdateProject(t.Context(), p); return err }); err != nil {
			t.Fatal(err)
		}
	}
	folder("docs")
	first := update(t, b, publisher(b), p)
	folder("other")
	if d := update(t, b, publisher(b), p); d.Status != deploy.Failure ||
		!strings.Contains(d.Error, "docs folder has changed") {
		t.Errorf("another folder: %+v", d)
	}
	folder("gone")
	if d := update(t, b, publisher(b), p); d.Status != deploy.Failure {
		t.Errorf("a missing folder: %+v", d)
	}
	wantLive(t, b, p, first)

	dir := worktest.Write(t, map[string]string{"index.mdx": "Hello.", "a.mdx": "A", "b.mdx": "B", "c.mdx": "C",
		"docs.json":    `{"name":"T","navigation":{"groups":[{"group":"API","openapi":"openapi.json"}]}}`,
		"openapi.json": goodSpec(2)})
	q := b.Project(t, "api.example.com", project.Source{Path: dir})
	good := update(t, b, publisher(b), q)
	for name, text := range map[string]string{"truncated": goodSpec(2)[:80], "another file": `{}`} {
		worktest.Rewrite(t, dir, map[string]string{"openapi.json": text})
		if d := update(t, b, publisher(b), q); d.Status != deploy.Failure ||
			!strings.Contains(d.Error, "2 of 6 pages") || !strings.Contains(d.Error, "openapi.json cannot be read") {
			t.Errorf("%s: %s %q", name, d.Status, d.Error)
		}
	}
	_ = os.Remove(filepath.Join(dir, "openapi.json"))
	if d := update(t, b, publisher(b), q); d.Status != deploy.Failure ||
		!strings.Contains(d.Error, "openapi.json cannot be read") {
		t.Errorf("a missing description: %s %q", d.Status, d.Error)
	}
	wantLive(t, b, q, good)
}

// A site file that cannot be used would publish a site without name, navigation and API pages: the update fails, the
// live site stays.
func TestBrokenSiteFileFailsTheUpdate(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	first := deployNow(t, b, p, deploy.Production)
	for name, text := range map[string]string{"cut": site["docs.json"][:60], "empty": "", "a list": "[]",
		"a missing part": `{"name":"T","navigation":{"$ref":"gone.json"}}`} {
		worktest.Rewrite(t, dir, map[string]string{"docs.json": text})
		if d := deployNow(t, b, p, deploy.Production); d.Status != deploy.Failure ||
			!strings.Contains(d.Error, "docs.json") {
			t.Errorf("%s: %s %q", name, d.Status, d.Error)
		}
	}
	wantLive(t, b, p, first)
}

// F8: a rebuild of the live site uses the description from which the site was built, whatever its host returns now.
func TestChangedFeaturesUseTheStoredDescription(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, remoteSite(host.URL+"/openapi.json"))})
	first := update(t, b, pub, p)
	host.says(goodSpec(9))
	asked := host.asked.Load()
	again(t, b, p)
	pub.Offers = capability.Offers{Search: true}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	now, err := b.Store.FindProjectByID(t.Context(), p.ID)
	if err != nil || now.LiveID == first.ID {
		t.Fatalf("live is %s: %v", now.LiveID, err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), now.LiveID)
	if err != nil || len(apiPages(t, b, d)) != 4 || len(d.Diagnostics) != 0 || host.asked.Load() != asked {
		t.Errorf("%+v %v, asked %d times more", d, err, host.asked.Load()-asked)
	}
}

// F8: the same rule applies wherever a site specifies an address: in a list, as the default for all pages, on one page,
// and for channels.
func TestHoldRuleAppliesToEveryRemoteDescription(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	address := host.URL + "/api"
	channels := `{"asyncapi": "3.0.0", "info": {"title": "E", "version": "1"}, "channels": {"news": {"address": "news"}}}`
	for name, c := range map[string]struct {
		good  string
		files map[string]string
		file  string // where the finding is
	}{
		"list": {goodSpec(2),
			map[string]string{"docs.json": `{"name":"T","navigation":{"groups":[{"group":"API","openapi":["` + address +
				`"]}]}}`}, "docs.json"},
		"object": {goodSpec(2),
			map[string]string{"docs.json": `{"name":"T","navigation":{"groups":[{"group":"API","openapi":{"source":"` +
				address + `","directory":"x"}}]}}`}, "docs.json"},
		"root": {goodSpec(2), map[string]string{"docs.json": `{"name":"T","navigation":{"openapi":"` + address +
			`","pages":["index"]}}`}, "docs.json"},
		"default": {goodSpec(2), map[string]string{"docs.json": `{"name":"T","api":{"openapi":"` + address +
			`"},"navigation":{"pages":["index","GET /things1"]}}`}, "docs.json"},
		"entry": {goodSpec(2), map[string]string{"docs.json": `{"name":"T","navigation":{"pages":["index","` +
			address + ` GET /things1"]}}`}, "docs.json"},
		"page": {goodSpec(2), map[string]string{"docs.json": `{"name":"T"}`,
			"p.mdx": "---\nopenapi: " + address + " GET /things1\n---\n"}, "p.mdx"},
		"events": {channels, map[string]string{
			"docs.json": `{"name":"T","navigation":{"groups":[{"group":"E","asyncapi":"` + address + `"}]}}`},
			"docs.json"},
	} {
		c.files["index.mdx"] = "Hello.\n"
		p := b.Project(t, name+".example.com", project.Source{Path: worktest.Write(t, c.files)})
		host.says("<html>")
		d := update(t, b, pub, p)
		if found, ok := finding(d, "spec-syntax"); d.Status != deploy.Failure || !ok || found.File != c.file ||
			found.Line == 0 {
			t.Errorf("%s without a good one: %s %+v", name, d.Status, d.Diagnostics)
		}
		host.says(c.good)
		good := update(t, b, pub, p)
		host.says("<html>")
		d = update(t, b, pub, p)
		if _, ok := finding(d, "spec-kept"); good.Status != deploy.Success || d.Status != deploy.Success || !ok ||
			d.PageCount != good.PageCount {
			t.Errorf("%s: %+v, then %+v", name, good, d)
		}
	}
}

// One failing page does not stop an update; if most of the live pages fail, the update is held, since no author intends
// that.
func TestMostPagesFailingHoldTheUpdate(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, guides("", 10))
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	deployNow(t, b, p, deploy.Production)
	bad := "---\ntitle: [\n---\n"
	worktest.Rewrite(t, dir, map[string]string{"page00.mdx": bad})
	one := deployNow(t, b, p, deploy.Production)
	if one.Status != deploy.Success {
		t.Fatalf("%+v", one)
	}
	for i := range 8 {
		worktest.Rewrite(t, dir, map[string]string{fmt.Sprintf("page%02d.mdx", i): bad})
	}
	if d := deployNow(t, b, p, deploy.Production); d.Status != deploy.Failure ||
		!strings.Contains(d.Error, "7 of 9 pages") || !strings.Contains(d.Error, "errors") {
		t.Errorf("%s %q", d.Status, d.Error)
	}
	wantLive(t, b, p, one)
}

// If a site has more findings than are stored, errors come first: warnings must not displace the one about a kept
// description.
func TestErrorsAreStoredBeforeWarnings(t *testing.T) {
	b, host := worktest.New(t), newSpecHost(t)
	pub := fetching(t, b)
	files := remoteSite(host.URL + "/openapi.json")
	for i := range 1200 {
		files[fmt.Sprintf("a%02d.mdx", i%30)] += fmt.Sprintf("[gone](/gone-%d)\n\n", i)
	}
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)})
	update(t, b, pub, p)
	host.says("")
	d := update(t, b, pub, p)
	if _, ok := finding(d, "spec-kept"); !ok || len(d.Diagnostics) != 1000 {
		t.Errorf("%s with %d findings", d.Status, len(d.Diagnostics))
	}
}
