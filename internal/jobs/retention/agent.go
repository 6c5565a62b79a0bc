package retention

import (
	"context"
	"fmt"
)

// agents archives agent jobs that ended long enough ago, and removes the transcripts of jobs that have been archived
// for the same time.
func (s *Sweeper) agents(ctx context.Context) error {
	if s.Agents <= 0 {
		return nil
	}
	archived, err := s.Store.ArchiveEndedAgentJobs(ctx, s.Agents)
	if err != nil {
		return fmt.Errorf("archive agent jobs: %w", err)
	}
	dropped, err := s.Store.DropAgentRecords(ctx, s.Agents)
	if err != nil {
		return fmt.Errorf("remove records of agent jobs: %w", err)
	}
	if archived > 0 || dropped > 0 {
		s.Logger.Info("archived agent jobs", "archived", archived, "entries", dropped)
	}
	return nil
}
