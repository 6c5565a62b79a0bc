// Package settings serves the pages of an organization's settings: API keys, credentials, webhooks, members and
// invitations, a readable audit log, plan and features.
//
// Inputs: forms and URLs of signed-in users. Outputs: calls of the admin API, and pages that show its responses; a
// secret is shown once. It has no rules of its own about permissions.
package settings

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
