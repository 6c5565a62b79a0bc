package cli

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/gitrepo"
)

// modified tells when files of the docs folder changed last, if it stands in a Git repository; nil when it does not. The times that the
// file system has are of no use: they differ from one copy of the same source to the next.
func modified(ctx context.Context, dir string) func(file string) time.Time {
	dates := gitrepo.LocalDates(ctx, "", dir)
	if len(dates) == 0 {
		return nil
	}
	return func(file string) time.Time { return dates[file] }
}
