// Package kubenode is test infrastructure: it runs one real Kubernetes node for the tests of one process. etcd, API
// server, controller
// manager, scheduler, kubelet, kube-proxy, CoreDNS, containerd and runc are the real programs; pods have addresses
// that lead nowhere else.
//
//	func TestMain(m *testing.M) {
//		os.Exit(kubenode.Main(m, func(n *kubenode.Node) error { node = n; return nil }))
//	}
//
// Main runs the test binary a second time, in network, mount and process namespaces of its own. When that process
// ends, however it ends, the
// kernel ends everything that it started and removes its mounts and its network; the first process removes the folder
// and the control groups.
//
// In: the programs that tools/install-kubernetes builds and installs; root.
// Out: a node that is ready, commands on it, images in it.
// Never: imported by anything but tests; a connection that leaves the machine.
package kubenode
