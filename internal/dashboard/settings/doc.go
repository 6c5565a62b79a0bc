// Package settings is the pages of an organization's settings: API keys, members and invitations, the audit log in words, plan and features.
//
// In: forms and addresses of people who are signed in.
// Out: calls of the admin API, and pages of what it answered; secrets once.
// Never: a rule of its own about who may do what.
package settings

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
