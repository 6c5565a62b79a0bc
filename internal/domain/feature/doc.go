// Package feature determines which features a deployment has, from the specification's table by deployment type and the
// operator's settings.
//
// Inputs: the deployment's type and the operator's settings.
// Outputs: for each feature, its state in the table, whether it is on, and why.
// It never turns a feature on or off itself; other packages query it and act on the result (D9).
package feature
