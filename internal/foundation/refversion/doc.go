// Package refversion chooses which branches and tags of a repository are versions of a site.
//
// Inputs: the author's rules, and the refs of the repository with their commits.
// Outputs: the versions in the order in which readers see them, the default one, and where aliases lead.
// It never talks to a repository, and knows no page.
package refversion
