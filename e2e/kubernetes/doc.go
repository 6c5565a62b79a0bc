// Package kubernetes installs the Helm chart on a real Kubernetes node and checks its claims there: how scheduling,
// admission, rolling updates, disruption budgets, services and volumes treat its pods.
//
// The tests have the build tag "kubernetes": the node's programs take many minutes to build, so the tests run with
// `make test-kubernetes`, which is part of `make test-all`, and not with `go test ./...`.
//
// Inputs: a release in a folder (-release), the programs that tools/install-kubernetes and tools/install-testservers
// install, root.
// Outputs: none; it has only tests.
// Never: a connection that leaves the machine; anything that outlives the run.
package kubernetes
