// Package chart tests the Helm chart in lectern/ (claims H1 to H10): it compares renderings with golden files, checks
// the values' schema, Pod Security and the Kubernetes API, and runs the rendered command lines.
//
// Inputs: the chart, values in testdata/values, and the programs helm, kubeconform and kube-score, which
// tools/install-testservers builds. The package has only tests and needs no cluster; tests that need one (scheduling,
// network policies in force) are in e2e/kubernetes.
package chart
