// Package audiencepage is the pages about the readers of a site: what they read, search, say, ask and try, and what they do not find.
//
// In: a project and a span of days.
// Out: figures and charts of what the admin API tells, lists with their CSV files, and the state of what readers said.
// Never: an address or anything else of one reader; a count of its own.
package audiencepage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
