// Package sitepage serves the pages of projects: list, new, overview, deployments with logs and findings, previews,
// rollback, settings.
//
// Inputs: forms and URLs of signed-in users. Outputs: calls of the admin API, and pages that show its responses. It
// does not know how a site is published.
package sitepage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
