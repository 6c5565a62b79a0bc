// Package kubernetes installs the Helm chart on a real Kubernetes node and checks the claims about it there: how
// scheduling, admission, rolling updates, disruption budgets, services and volumes treat its pods.
//
// The tests have the build tag "kubernetes": the node's programs take many minutes to build, so the tests run with
// `make test-kubernetes`, which is part of `make test-all`, and not with `go test ./...`.
//
// Inputs: a release in a folder (-release), the programs that tools/install-kubernetes and tools/install-testservers
// install, root.
// Outputs: none; the package has only tests.
// Never: makes a connection that leaves the machine, or leaves anything behind after the run.
package kubernetes
