package retention

import (
	"context"
	"fmt"
)

// agents archives agent jobs some time after they ended, and removes their transcripts when the same time has passed
// again.
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
