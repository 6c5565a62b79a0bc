// Package bitbucket is the driver for Bitbucket Cloud and Bitbucket Data Center, two products with two APIs: it parses
// webhook events and opens and updates pull requests.
//
// Inputs: the raw header and body of a webhook delivery, and its secret; the content of a pull request.
// Outputs: pushes, with every branch that they changed, and pull requests as the types of forge/push and forge/pull.
// It never reads another host's headers and never approves or merges a pull request. Bitbucket has no labels, so the
// driver omits them.
package bitbucket
