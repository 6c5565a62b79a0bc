// Package overview is the first page: how the sites fare, what needs somebody, what goes on, and first steps for newcomers.
//
// In: what the admin API tells the person about projects, jobs and the audit log.
// Out: one page.
// Never: changes anything.
package overview

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
