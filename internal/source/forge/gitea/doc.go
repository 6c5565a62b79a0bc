// Package gitea speaks with Gitea and Forgejo, which share one API and one format of events under two header names: it reads their events
// and opens and updates pull requests.
//
// In: the raw header and body of a webhook delivery, and its secret; what a pull request shall say.
// Out: pushes and pull requests in the family's own shape.
// Never: the GitHub headers that these hosts send as well, approving or merging a pull request.
package gitea
