// Package feature says which features a deployment has: the specification's table by deployment type, and what the
// operator made of it.
//
// In: the deployment's type and the operator's settings.
// Out: for each feature its state in the table, whether it is on, and why.
// Never: switches anything; rooms ask here and act on the answer (D9).
package feature
