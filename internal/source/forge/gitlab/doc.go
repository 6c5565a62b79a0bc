// Package gitlab speaks with GitLab: it reads its events and opens and updates merge requests.
//
// In: the raw header and body of a webhook delivery, and its secret token; what a merge request shall say.
// Out: pushes and merge requests in the family's own shape.
// Never: another host's headers, approving or merging a merge request.
package gitlab
