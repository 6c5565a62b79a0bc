// Package sitepage is the pages of projects: list, new, overview, deployments with logs and findings, previews, roll-back, settings.
//
// In: forms and addresses of people who are signed in.
// Out: calls of the admin API, and pages of what it answered.
// Never: knows how a site is published.
package sitepage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
