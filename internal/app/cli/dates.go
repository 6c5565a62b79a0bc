package cli

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// repository returns where readers find the sources of a folder, based on the remote of its Git clone. It returns the
// zero value if there is none.
func repository(ctx context.Context, dir string) site.Repository {
	origin, ok := git.LocalOrigin(ctx, "", dir)
	if !ok {
		return site.Repository{}
	}
	return forge.Servers{}.Source(origin.URL, origin.Branch, origin.Folder)
}

// modified returns a function that reports when the last commit changed a file, or nil if no dates are known. File
// modification times are not used, because they differ between copies of the same source.
func modified(dates git.Dates) func(file string) time.Time {
	if len(dates) == 0 {
		return nil
	}
	return func(file string) time.Time { return dates[file] }
}
