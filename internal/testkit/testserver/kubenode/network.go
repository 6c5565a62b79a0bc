package kubenode

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Addresses inside the network namespace, all private.
const (
	// Address is the node's address. Servers that listen on the namespace's loopback address are reachable here,
	// including from pods.
	Address    = "10.99.0.1"
	podRange   = "10.88.0.0/24"
	serviceNet = "10.96.0.0/16"
	dnsService = Address
)

// loopback redirects connections to the node's address to test servers, which listen on the loopback address. Some of
// them, like PostgreSQL, may accept connections only from there.
const loopback = `
table ip lectern_node {
	chain from_pods {
		type nat hook prerouting priority -110;
		ip daddr ` + Address + ` dnat to 127.0.0.1
	}
	chain from_node {
		type nat hook output priority -110;
		ip daddr ` + Address + ` dnat to 127.0.0.1
	}
	chain as_local {
		type nat hook input priority 100;
		ip saddr ` + podRange + ` ct original ip daddr ` + Address + ` snat to 127.0.0.1
	}
}
`

// makeNetwork configures the empty network of the namespace. It has routes only to pods and services.
func makeNetwork() error {
	for _, command := range []string{
		"ip link set lo up",
		"ip address add " + Address + "/32 dev lo",
		"ip route add " + serviceNet + " dev lo src " +
			Address, // kube-proxy rewrites these addresses before they are used
	} {
		if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", command, err, out)
		}
	}
	for name, value := range map[string]string{"ip_forward": "1", "conf/all/route_localnet": "1"} {
		if err := os.WriteFile(filepath.Join("/proc/sys/net/ipv4", name), []byte(value), 0o644); err != nil {
			return err
		}
	}
	return ApplyRules(loopback)
}

// ApplyRules loads nftables rules into the node's network.
func ApplyRules(rules string) error {
	cmd := exec.Command("nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("load the rules: %w: %s\n%s", err, out, rules)
	}
	return nil
}

// writePlugins configures how pods get addresses. Each pod has a link to the node, which routes packets, so that
// every packet between two pods passes the filter.
func writePlugins(folder string) error {
	list := map[string]any{
		"cniVersion": "0.4.0", "name": "pods",
		"plugins": []any{map[string]any{
			"type": "ptp", "ipMasq": false,
			"ipam": map[string]any{
				"type": "host-local", "dataDir": filepath.Join(folder, "addresses"),
				"ranges": []any{[]any{map[string]any{"subnet": podRange}}},
				"routes": []any{map[string]any{"dst": "0.0.0.0/0"}},
			},
		}},
	}
	return writeJSON(filepath.Join(folder, "10-pods.conflist"), list)
}

func writeJSON(file string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}
