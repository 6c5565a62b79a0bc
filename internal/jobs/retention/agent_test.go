package retention_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// G9: an agent job is archived some time after it ended, and its transcript is removed when the same time has passed
// again; the job itself stays.
func TestOldAgentJobsAreArchived(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	var j agentjob.Job
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateAgentJob(t.Context(),
			agentjob.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Model: "m"}, agentjob.Entry{Text: "x"})
		return err
	})
	if err == nil {
		err = b.Store.FailAgentJob(t.Context(), b.Take(t), "No.")
	}
	if err != nil {
		t.Fatal(err)
	}
	const keep = 30 * 24 * time.Hour
	for _, step := range []struct {
		later  time.Duration
		keep   time.Duration
		status agentjob.Status
		lines  int
	}{
		{keep - time.Hour, keep, agentjob.Failed, 2},
		{2 * time.Hour, 0, agentjob.Failed, 2}, // 0 = they are kept
		{0, keep, agentjob.Archived, 3},
		{keep - time.Hour, keep, agentjob.Archived, 3},
		{2 * time.Hour, keep, agentjob.Archived, 0},
	} {
		b.Advance(step.later)
		s := &retention.Sweeper{Store: b.Store, Blob: b.Blob, Keep: store.Keep{Productions: 1, Previews: time.Hour},
			Agents: step.keep, Logger: slog.New(slog.DiscardHandler), Now: b.Now}
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		got, err := b.Store.FindAgentJobByID(t.Context(), j.ID)
		if err != nil {
			t.Fatal(err)
		}
		if lines, err := b.Store.ListAgentEntries(t.Context(), j.ID, 0, 10); err != nil || got.Status != step.status ||
			len(lines) != step.lines || got.Error != "No." {
			t.Errorf("after another %s: %+v with %d lines (error %v)", step.later, got, len(lines), err)
		}
	}
}
