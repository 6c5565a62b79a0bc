// Package chart holds the Helm chart in lectern/ to what it promises (claims H1 to H10): renderings per set of values
// against golden files, the values' schema, Pod Security, the Kubernetes API, and the rendered command lines, which are
// run for real.
//
// In: the chart, values in testdata/values, the helm, kubeconform and kube-score programs that
// tools/install-testservers builds. Out: nothing; it has tests alone. Never: a cluster. What only a cluster can show
// (scheduling, network policies in force) is in e2e/kubernetes.
package chart
