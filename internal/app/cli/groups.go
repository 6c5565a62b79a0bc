package cli

import "github.com/lectern-docs/lectern/internal/foundation/reader"

// groupsFlag selects the readers for which a site is built.
type groupsFlag struct {
	Groups []string `placeholder:"GROUP" help:"Build what readers in these groups see; a list with commas, or repeated. Default: readers in no group, without pages that have groups."`
}

func (f groupsFlag) view() reader.View { return reader.New(f.Groups...) }
