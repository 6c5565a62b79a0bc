// Package program builds lectern reproducibly: the same commit gives the same bytes.
//
// Inputs: a checkout, a version, the commit time, a platform. Outputs: a static program without symbols and without
// paths of this machine; its modules. It never uses a Go version other than the one in go.mod, or the builder's own
// settings (GOFLAGS, workspaces, experiments).
package program
