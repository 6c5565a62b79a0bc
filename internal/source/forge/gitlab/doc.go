// Package gitlab is the driver for GitLab: it parses webhook events and opens and updates merge requests.
//
// Inputs: the raw header and body of a webhook delivery, and its secret token; the content of a merge request.
// Outputs: pushes and merge requests as the types of forge/push and forge/pull.
// It never reads another host's headers and never approves or merges a merge request.
package gitlab
