package kubenode

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

// The versions equal those in tools/kubernetes/go.mod and tools/charttools/go.mod; a test compares them.
const (
	version     = "v1.34.4"
	helmVersion = "v4.3.0"
	dnsVersion  = "v1.13.2"
)

// pluginFolder is where Debian's package containernetworking-plugins installs its programs.
const pluginFolder = "/usr/lib/cni"

// built maps the names of programs to their files in the cache.
func built() map[string]string {
	programs := map[string]string{"helm": "helm-" + helmVersion, "coredns": "coredns-" + dnsVersion}
	for _, name := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet",
		"kube-proxy", "kubectl"} {
		programs[name] = name + "-" + version
	}
	return programs
}

// linkPrograms creates a folder in which all of the node's programs have their plain names.
func linkPrograms(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, file := range built() {
		target := filepath.Join(testserver.Cache(), "bin", file)
		if _, err := os.Stat(target); err != nil {
			return fmt.Errorf("%s is not built: run tools/install-kubernetes: %w", name, err)
		}
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	for _, name := range []string{"etcd", "containerd", "ctr", "runc", "nft", "ip",
		filepath.Join(pluginFolder, "ptp")} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%s is not installed: run tools/install-kubernetes: %w", name, err)
		}
	}
	return nil
}
