// Package gitea is the driver for Gitea and Forgejo, which share one API and one event format under two header names:
// it parses webhook events and opens and updates pull requests.
//
// Inputs: the raw header and body of a webhook delivery, and its secret; the content of a pull request.
// Outputs: pushes and pull requests as the types of forge/push and forge/pull.
// It never reads the GitHub headers that these hosts also send, and never approves or merges a pull request.
package gitea
