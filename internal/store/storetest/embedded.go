package storetest

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/store"
)

func testEmbedded(t *testing.T, database func(*testing.T) string) {
	used := func(w *world) bool {
		in, err := w.s.EmbeddedInUse(w.ctx)
		w.ok(err)
		return in
	}
	t.Run("is in use by open proposals", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("a").ID)
		w.proposalIn(p, "lectern/a", proposal.Merged)
		if used(w) {
			t.Error("a merged proposal counts as use")
		}
		if w.proposalIn(p, "lectern/b", proposal.Open); !used(w) {
			t.Error("an open proposal does not count as use")
		}
	})
	t.Run("is in use by projects that have no other source", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		if w.project(o.ID); used(w) {
			t.Error("a project with another source counts as use")
		}
		w.ok(w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.CreateProject(w.ctx, project.Project{OrganizationID: o.ID, Name: "Own",
				Domains: []string{"own.example.com"}, Source: project.Source{Repository: project.Own}})
			return err
		}))
		if !used(w) {
			t.Error("a project without another source does not count as use")
		}
	})
	t.Run("a missing setting is empty", func(t *testing.T) {
		w := newWorld(t, database)
		held := func() string {
			value, err := w.s.FindSetting(w.ctx, "folder")
			w.ok(err)
			return value
		}
		if got := held(); got != "" {
			t.Errorf("before: %q", got)
		}
		w.ok(w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.ClaimSetting(w.ctx, "folder", "dir_a")
			return err
		}))
		if got := held(); got != "dir_a" {
			t.Errorf("after: %q", got)
		}
	})
}
