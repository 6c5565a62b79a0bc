package publish_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// F5: hosts named in a preview are not published, so its pages do not offer to send requests through the server, and
// the server has no list of hosts for it.
func TestPreviewHasNoProxy(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\napi: GET https://api.example.com/x\n---\nWelcome.\n",
	})})
	for kind, proxy := range map[deploy.Kind]string{deploy.Production: "has", deploy.Preview: "none"} {
		d := b.QueueDeployment(t, p, kind, "")
		made := publisher(b)
		made.Offers = capability.Offers{Playground: capability.Playground{On: true, Proxy: capability.HasProxy}}
		if err := made.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if text := page(t, b, d, "index.html"); !strings.Contains(text, `"proxy":"`+proxy+`"`) {
			t.Errorf("%s: %s", kind, text)
		}
		m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
		if _, listed := m.Files[capability.OriginsFile]; err != nil || listed != (proxy == "has") {
			t.Errorf("%s: there is a list: %t, %v", kind, listed, err)
		}
	}
}
