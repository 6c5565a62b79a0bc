// Package bitbucket speaks with Bitbucket Cloud and Bitbucket Data Center, two products with two APIs: it reads their events and opens and
// updates pull requests.
//
// In: the raw header and body of a webhook delivery, and its secret; what a pull request shall say.
// Out: pushes, with every branch that they changed, and pull requests in the family's own shape.
// Never: another host's headers, approving or merging a pull request. Bitbucket has no labels: they are left out.
package bitbucket
