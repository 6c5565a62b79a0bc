// Package github speaks with GitHub and GitHub Enterprise Server: it reads their events, opens and updates pull requests, and gets tokens
// for GitHub Apps.
//
// In: the raw header and body of a webhook delivery with its secret; what a pull request shall say; an App's key.
// Out: pushes and pull requests in the family's own shape; tokens for one repository.
// Never: another host's headers, approving or merging a pull request, an App's key outside its signature.
package github
