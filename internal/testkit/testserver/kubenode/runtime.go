package kubenode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// containerdConfig uses the node's own folders and socket. Without restrict_oom_score_adj, runc fails where the
// tests are not allowed to lower that score.
const containerdConfig = `version = 2
root = %[1]q
state = %[2]q
[grpc]
  address = %[3]q
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = %[4]q
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = %[5]q
    conf_dir = %[6]q
`

func (n *Node) socket() string { return n.path("containerd.sock") }

// startRuntime starts containerd and imports the image that holds pods' namespaces.
func (n *Node) startRuntime() error {
	if err := writePlugins(n.path("cni")); err != nil {
		return err
	}
	config := fmt.Sprintf(containerdConfig, n.path("containerd"), n.path("containerd-state"), n.socket(), PauseImage,
		pluginFolder, n.path("cni"))
	if err := os.WriteFile(n.path("containerd.toml"), []byte(config), 0o600); err != nil {
		return err
	}
	if err := n.run("containerd", "--config="+n.path("containerd.toml"), "--log-level=warn"); err != nil {
		return err
	}
	err := await("containerd", func(ctx context.Context) error {
		if out, err := n.containerd(ctx, "plugins", "ls", "id==cri").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
	if err != nil {
		return err
	}
	archive, err := n.buildPause()
	if err != nil {
		return err
	}
	return n.Import(context.Background(), archive)
}

// startKubelet starts the kubelet. The eviction thresholds are small, so that the free space on the developer's disk
// does not matter.
func (n *Node) startKubelet() error {
	if err := os.WriteFile(n.path("resolv.conf"), []byte("nameserver "+dnsService+"\n"), 0o644); err != nil {
		return err
	}
	config := map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"containerRuntimeEndpoint": "unix://" + n.socket(),
		"cgroupDriver":             "cgroupfs", "cgroupRoot": "/" +
			filepath.Base(n.Folder), "failSwapOn": false, "failCgroupV1": false,
		"oomScoreAdj": 0, "imageGCHighThresholdPercent": 100,
		"evictionHard": map[string]any{"memory.available": "1Mi", "nodefs.available": "1Mi",
			"imagefs.available": "1Mi"},
		"clusterDNS":    []string{dnsService},
		"clusterDomain": "cluster.local",
		"resolvConf":    n.path("resolv.conf"),
		"authentication": map[string]any{"anonymous": map[string]any{"enabled": true},
			"webhook": map[string]any{"enabled": false}},
		"authorization": map[string]any{"mode": "AlwaysAllow"}, // the kubelet is reachable only from this namespace
		"address":       "0.0.0.0",
	}
	if err := writeJSON(n.path("kubelet.json"), config); err != nil {
		return err
	}
	return n.run("kubelet", "--config="+n.path("kubelet.json"), "--kubeconfig="+n.kubeconfig("system:node:"+Name),
		"--root-dir="+n.path("kubelet"),
		"--cert-dir="+n.path("kubelet-certificates"), "--hostname-override="+Name, "--node-ip="+Address)
}

// startNetwork starts kube-proxy and CoreDNS, which implement service addresses and names.
func (n *Node) startNetwork() error {
	proxy := map[string]any{
		"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration", "mode": "nftables",
		"clientConnection": map[string]any{"kubeconfig": n.kubeconfig("system:kube-proxy")},
		"hostnameOverride": Name, "clusterCIDR": podRange,
		"conntrack": map[string]any{"maxPerCore": 0}, // keep the machine's limit
	}
	if err := writeJSON(n.path("proxy.json"), proxy); err != nil {
		return err
	}
	if err := n.run("kube-proxy", "--config="+n.path("proxy.json")); err != nil {
		return err
	}
	names := fmt.Sprintf(".:53 {\n\terrors\n\tkubernetes cluster.local {\n\t\tkubeconfig %s\n\t}\n}\n", n.Kubeconfig)
	if err := os.WriteFile(n.path("Corefile"), []byte(names), 0o600); err != nil {
		return err
	}
	return n.run("coredns", "-conf", n.path("Corefile"))
}
