package publish_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// again queues a build of the live source with other features.
func again(t *testing.T, b *worktest.Env, p project.Project) (d deploy.Deployment) {
	t.Helper()
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), p, deploy.Production, "", deploy.Features)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// D9: when features change, the live source is built again with them. Changes made since, whose publication was not
// requested, are not included.
func TestChangedFeaturesRepublishTheSameSource(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	before := deployNow(t, b, p, deploy.Production)
	if err := os.WriteFile(filepath.Join(dir, "index.mdx"), []byte("---\ntitle: Home\n---\nUnreleased.\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	offers := capability.Offers{Search: true}
	if list, err := b.Store.ListPublishedOtherwise(t.Context(), offers.String(), "", 10); err != nil ||
		len(list) != 1 || list[0].ID != p.ID {
		t.Fatalf("%v %v", list, err)
	}
	d := again(t, b, p)
	pub := publisher(b)
	pub.Offers = offers
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if err != nil || d.Commit != before.Commit || d.Offers != offers.String() {
		t.Fatalf("%+v %v", d, err)
	}
	if html := page(t, b, d, "index.html"); !strings.Contains(html, "Welcome.") ||
		!strings.Contains(html, "data-search") {
		t.Errorf("%s", html)
	}
	if now, err := b.Store.FindProjectByID(t.Context(), p.ID); err != nil || now.LiveID != d.ID {
		t.Errorf("live is %s: %v", now.LiveID, err)
	}
	if list, err := b.Store.ListPublishedOtherwise(t.Context(), offers.String(), "", 10); err != nil || len(list) != 0 {
		t.Errorf("still to do: %v %v", list, err)
	}
}

// An update that is requested while a build with other features is waiting does not join that build and is not
// overtaken by it.
func TestChangedFeaturesDoNotOvertakeAnUpdate(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	deployNow(t, b, p, deploy.Production)
	d := again(t, b, p)
	held := b.Take(t) // it has started, and has not read the live site yet
	if err := os.WriteFile(filepath.Join(dir, "index.mdx"), []byte("---\ntitle: Home\n---\nNewer.\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	update := deployNow(t, b, p, deploy.Production)
	if update.ID == d.ID {
		t.Fatal("the update was answered with a build of the old source")
	}
	if err := publisher(b).Run(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	now, err := b.Store.FindProjectByID(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	live, err := b.Store.FindDeploymentByID(t.Context(), now.LiveID)
	if err != nil || !strings.Contains(page(t, b, live, "index.html"), "Newer.") {
		t.Errorf("readers see %+v: %v", live, err)
	}
}
