// Package audiencepage serves the dashboard's pages about readers: what they read, search for, report, ask and try,
// and what they do not find.
//
// Inputs: a project and a range of days.
// Outputs: numbers and charts from the admin API, lists with their CSV files, and the state of readers' feedback.
// It never shows an IP address or anything else about a single reader, and counts nothing itself.
package audiencepage

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
