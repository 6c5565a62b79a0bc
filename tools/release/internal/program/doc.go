// Package program builds lectern reproducibly: the same commit gives the same bytes.
//
// Inputs: a checkout, a version, the time of the commit, a platform.
// Outputs: a static program, without symbols and without a path of this machine; which modules it is made of.
// Never: another Go version than go.mod names; the builder's own settings (GOFLAGS, workspaces, experiments).
package program
