package cli

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// repository returns where readers find the sources of a folder: the code host of the clone that it is in; zero when
// there is none.
func repository(ctx context.Context, dir string) site.Repository {
	origin, ok := git.LocalOrigin(ctx, "", dir)
	if !ok {
		return site.Repository{}
	}
	return forge.Servers{}.Source(origin.URL, origin.Branch, origin.Folder)
}

// modified returns when files of the docs folder changed last, and nil if no date is known. The times that the file
// system has are of no use: they differ from one copy of the same source to the next.
func modified(dates git.Dates) func(file string) time.Time {
	if len(dates) == 0 {
		return nil
	}
	return func(file string) time.Time { return dates[file] }
}
