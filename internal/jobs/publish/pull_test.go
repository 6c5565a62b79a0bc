package publish_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// takeDeploy takes the next deployment task, leaving report tasks of previews in the queue.
func takeDeploy(t *testing.T, b *worktest.Env) task.Hold {
	t.Helper()
	k, ok, err := b.Store.TakeTask(t.Context(), "w", time.Minute, false, task.Deploy)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return task.Hold{TaskID: k.ID, Fence: k.Fence}
}

// If a fork specifies a host that only this server can reach, no request is sent to that host, no matter who requested
// the build.
func TestForkCannotLetTheServerFetch(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"integrations":{"plausible":{"domain":"docs.example.com"}},` +
			`"navigation":{"groups":[{"group":"A","pages":["index"]},{"group":"B","openapi":"https://internal.example/api.json"}]}}`,
		"index.mdx": "---\ntitle: Home\n---\nWelcome.\n",
	})})
	for number, fork := range map[int64]bool{1: false, 2: true} {
		ref := map[int64]string{1: "refs/pull/1/head", 2: "refs/pull/2/head"}[number]
		err := b.Store.Tx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.OpenPullPreview(t.Context(), p, pullpreview.Preview{Number: number, Ref: ref, Fork: fork})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		made, asked := publisher(b), 0
		made.Fetch = func(context.Context, string) ([]byte, error) {
			asked++
			return []byte(`{"openapi":"3.1.0","info":{"title":"X","version":"1"},"paths":{"/x":{"get":{"responses":{"200":{"description":"x"}}}}}}`), nil
		}
		if err := made.Run(t.Context(), takeDeploy(t, b)); err != nil {
			t.Fatal(err)
		}
		v, err := b.Store.FindPullPreview(t.Context(), p.ID, number)
		if err != nil || (asked == 0) != fork || (v.Outcome == deploy.Failure) != fork {
			t.Errorf("fork %v: asked %d times, %+v, %v", fork, asked, v, err)
		}
		d, err := b.Store.FindDeploymentByID(t.Context(), v.DeploymentID)
		if err != nil {
			t.Fatal(err)
		}
		if fork && !strings.Contains(d.Error, "internal.example") {
			t.Errorf("the author is not told: %q", d.Error)
		}
		if !fork && len(v.Changed) == 0 {
			t.Errorf("no page differs from a site that is not published: %+v", v)
		}
	}
	// a person asks for a preview of a ref that no code host has reported
	unknown := b.QueueDeployment(t, p, deploy.Preview, "refs/pull/7/head")
	made := publisher(b)
	made.Fetch = func(context.Context, string) ([]byte, error) { t.Error("the host was contacted"); return nil, nil }
	if err := made.Run(t.Context(), takeDeploy(t, b)); err != nil {
		t.Fatal(err)
	}
	if d, err := b.Store.FindDeploymentByID(t.Context(), unknown.ID); err != nil || d.Status != deploy.Failure {
		t.Errorf("%+v, %v", d, err)
	}
}
