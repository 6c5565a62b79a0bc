// Package jobpage serves the pages of static exports, agent jobs, automations and proposals.
//
// Inputs: forms and URLs of signed-in users. Outputs: calls of the admin API, and pages that show its responses and
// update while work is running. It never trusts text by agents and authors: it shows it as plain text.
package jobpage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
