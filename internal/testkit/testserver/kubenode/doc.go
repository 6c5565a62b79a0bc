// Package kubenode runs one real Kubernetes node for the tests of one process. etcd, API server, controller manager,
// scheduler, kubelet, kube-proxy, CoreDNS, containerd and runc are the real programs; pod addresses are reachable only
// on the node.
//
//	func TestMain(m *testing.M) {
//		os.Exit(kubenode.Main(m, func(n *kubenode.Node) error { node = n; return nil }))
//	}
//
// Main runs the test binary a second time, in its own network, mount and process namespaces. When that process ends
// for any reason, the kernel kills everything that it started and removes its mounts and its network; the first
// process removes the folder and the control groups.
//
// Inputs: the programs that tools/install-kubernetes builds and installs; root. Outputs: a node that is ready,
// commands on it, images in it. Only tests import it. No connection leaves the machine.
package kubenode
