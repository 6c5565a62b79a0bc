// Package refversion chooses which branches and tags of a repository are versions of a site.
//
// Inputs: the author's rules, and the refs of the repository with their commits. Outputs: the versions in the order for
// readers, the default version, and the targets of aliases. It never accesses a repository, and does not depend on
// pages.
package refversion
