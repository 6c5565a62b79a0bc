package agent

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store"
)

// Record stores a conversation. Others may add prompts to it at any time.
type Record interface {
	// List returns the entries with a sequence number greater than after, in order.
	List(ctx context.Context, after int64) ([]agentjob.Entry, error)
	// Add appends entries. They are stored before it returns.
	Add(ctx context.Context, entries ...agentjob.Entry) error
}

// stored is a job's record in the store, written under a hold: a worker that has lost its lease can no longer write.
type stored struct {
	store *store.Store
	hold  task.Hold
	lease time.Duration
}

const pageOfEntries = 500

func (s stored) List(ctx context.Context, after int64) (all []agentjob.Entry, err error) {
	for {
		list, err := s.store.ListAgentEntries(ctx, s.hold.TaskID, after, pageOfEntries)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < pageOfEntries {
			return all, nil
		}
		after = list[len(list)-1].Sequence
	}
}

func (s stored) Add(ctx context.Context, entries ...agentjob.Entry) error {
	_, err := s.set(ctx, store.AgentProgress{}, entries...)
	return err
}

// set updates the job and appends entries in one transaction, and returns the updated job.
func (s stored) set(ctx context.Context, p store.AgentProgress, entries ...agentjob.Entry) (agentjob.Job, error) {
	return s.store.RecordAgent(ctx, s.hold, s.lease, p, entries...)
}
