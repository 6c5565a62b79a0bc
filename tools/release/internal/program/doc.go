// Package program builds lectern so that whoever builds the same commit gets the same bytes.
//
// In: a checkout, a version, the time of the commit, a platform.
// Out: a static program, without symbols and without a path of this machine; which modules it is made of.
// Never: another Go version than go.mod names; settings of whoever builds (GOFLAGS, workspaces, experiments).
package program
