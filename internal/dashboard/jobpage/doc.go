// Package jobpage is the pages of static exports, agent jobs and proposals.
//
// In: forms and addresses of people who are signed in.
// Out: calls of the admin API, and pages of what it answered, live while work goes on.
// Never: trusts a word of what agents and authors wrote: it is shown as text.
package jobpage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
