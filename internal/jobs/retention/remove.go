package retention

import (
	"context"
	"fmt"
)

// tally counts the files of one round.
type tally struct {
	removed int
	left    int // needed by a running backup
}

// remove deletes unused stored files, except during a backup, because the database copied by the backup may still refer
// to them. Backups have to wait only for this step, and only while it runs. A backup that ended after the files were
// listed is no problem: an unused file is never used again.
func (s *Sweeper) remove(ctx context.Context, unused []string, t *tally) error {
	if len(unused) == 0 {
		return nil
	}
	if s.Pause != nil {
		release, ok, err := s.Pause()
		if err != nil {
			return err
		}
		if !ok {
			t.left += len(unused)
			return nil
		}
		defer release()
	}
	for _, key := range unused {
		if err := s.Blob.Delete(ctx, key); err != nil {
			return fmt.Errorf("remove stored file: %w", err)
		}
		t.removed++
	}
	return nil
}
