// Package entry is the pages on which people come in, go out and look after their own account.
//
// In: forms of people who are not signed in yet, or who change how they sign in.
// Out: sessions by package signin, and the pages around them.
// Never: decides who gets in; that is signin's.
package entry

import "embed"

// Pages are the templates, in the folder pages.
//
//go:embed pages
var Pages embed.FS
