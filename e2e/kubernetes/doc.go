// Package kubernetes installs the Helm chart on a real Kubernetes node and holds it to its claims there: what
// scheduling, admission, rolling
// updates, disruption budgets, services and volumes do with its pods.
//
// The tests are behind the build tag "kubernetes": the node's programs take many minutes to build, so they run with
// `make test-kubernetes`, which
// is part of `make test-all`, and not with `go test ./...`.
//
// Inputs: a release in a folder (-release), the programs that tools/install-kubernetes and tools/install-testservers
// install, root.
// Outputs: nothing; it has tests alone.
// Never: a connection that leaves the machine; anything that outlives the run.
package kubernetes
