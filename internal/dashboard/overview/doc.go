// Package overview serves the dashboard's first page: the state of the sites, what needs attention, running work,
// and first steps for new users.
//
// Inputs: projects, jobs and audit events that the admin API returns for the signed-in user.
// Outputs: one page.
// It never changes anything.
package overview

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
