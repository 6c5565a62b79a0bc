// Package github is the driver for GitHub and GitHub Enterprise Server: it parses webhook events, opens and updates
// pull requests, and gets tokens for GitHub Apps.
//
// Inputs: the raw header and body of a webhook delivery with its secret; the content of a pull request; an App's key.
// Outputs: pushes and pull requests as the types of forge/push and forge/pull; tokens for one repository.
// It never reads another host's headers, approves or merges a pull request, or uses an App's key except to sign.
package github
