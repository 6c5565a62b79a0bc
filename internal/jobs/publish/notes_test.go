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

// Authors' notes for the assistant are stored with the published version and not shown to readers.
func TestAssistantNotesAreNotPublished(t *testing.T) {
	for _, on := range []bool{true, false} {
		b := worktest.New(t)
		p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, map[string]string{
			"docs.json":             `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index"]}}`,
			"index.mdx":             "---\ntitle: Home\n---\nHello.\n",
			".lectern/assistant.md": "Call readers pilots.", ".mintlify/Assistant.md": "Not this.",
		})})
		d := b.QueueDeployment(t, p, deploy.Production, "")
		pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
			SiteURL: func(d string) string { return "https://" + d }, Lease: worktest.Lease, Now: b.Now,
			Offers: capability.Offers{Assistant: capability.Assistant{On: on}}}
		if err := pub.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
		if err != nil || d.Status != deploy.Success {
			t.Fatalf("%+v %v", d, err)
		}
		m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
		if want := map[bool]string{true: "Call readers pilots."}[on]; err != nil || m.Notes != want {
			t.Errorf("assistant %v: notes %q (error %v)", on, m.Notes, err)
		}
		for name := range m.Files {
			if strings.Contains(strings.ToLower(name), "assistant.md") {
				t.Errorf("%s is published", name)
			}
		}
	}
}
