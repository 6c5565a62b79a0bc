// Package entry serves the pages for signing in, signing out and managing one's own account.
//
// Inputs: forms submitted by users who are not signed in yet, or who change how they sign in.
// Outputs: sessions from package signin, and the pages around them.
// It never decides who may sign in; package signin does.
package entry

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
