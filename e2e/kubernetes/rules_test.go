//go:build kubernetes

package kubernetes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
)

// The parts of API objects from which rules are derived.
type (
	apiObject struct {
		Kind     string
		Metadata struct {
			Name, Namespace string
			Labels          map[string]string
		}
		Spec struct {
			PodSelector     selector
			PolicyTypes     []string
			Ingress, Egress []policyRule
			HostNetwork     bool
			Containers      []struct {
				Ports []struct {
					Name          string
					ContainerPort int
				}
			}
		}
		Status struct{ PodIP, Phase string }
	}
	selector struct {
		MatchLabels      map[string]string
		MatchExpressions []any
	}
	policyRule struct {
		From, To []peer
		Ports    []struct {
			Protocol string
			Port     any
		}
	}
	peer struct {
		PodSelector, NamespaceSelector *selector
		IPBlock                        *struct{ CIDR string }
	}
)

// clusterState is the part of the cluster's state to which policies refer.
type clusterState struct {
	t          testing.TB
	namespaces map[string]map[string]string // labels by name
	pods       []apiObject
	policies   []apiObject
}

func readCluster(t testing.TB) *clusterState {
	t.Helper()
	var all struct{ Items []apiObject }
	if err := json.Unmarshal([]byte(run(t, "kubectl", "get", "namespaces,pods,networkpolicies", "-A", "-o", "json")),
		&all); err != nil {
		t.Fatal(err)
	}
	w := &clusterState{t: t, namespaces: map[string]map[string]string{}}
	for _, o := range all.Items {
		switch {
		case o.Kind == "Namespace":
			w.namespaces[o.Metadata.Name] = o.Metadata.Labels
		case o.Kind == "NetworkPolicy":
			w.policies = append(w.policies, o)
		case o.Kind == "Pod" && o.Status.PodIP != "" && o.Status.Phase != "Succeeded" && o.Status.Phase != "Failed" &&
			!o.Spec.HostNetwork:
			w.pods = append(w.pods, o)
		}
	}
	return w
}

func (s selector) matches(t testing.TB, labels map[string]string) bool {
	t.Helper()
	if len(s.MatchExpressions) > 0 {
		t.Fatal("deriving rules from expressions is not supported; the chart has none")
	}
	for key, value := range s.MatchLabels {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// rules returns the policies as nftables rules. As the Kubernetes API specifies, a pod that a policy selects is closed
// in the policy's directions, except for traffic that one of its policies allows. Responses on allowed connections
// pass. Probes from the node are always allowed, because they do not pass through these chains.
func (w *clusterState) rules() string {
	var chains, jumps strings.Builder
	for i, pod := range w.pods {
		for _, d := range []struct{ kind, match string }{{"Egress", "saddr"}, {"Ingress", "daddr"}} {
			allowed, closed := w.allowed(pod, d.kind)
			if !closed {
				continue
			}
			name := fmt.Sprintf("%s_%d", strings.ToLower(d.kind), i)
			fmt.Fprintf(&chains, "\tchain %s {\n%s\t\tmeta l4proto tcp reject with tcp reset\n\t\treject\n\t}\n", name,
				allowed)
			fmt.Fprintf(&jumps, "\t\tip %s %s jump %s\n", d.match, pod.Status.PodIP, name)
		}
	}
	head := "\t\ttype filter hook %s priority 10; policy accept;\n\t\tct state established,related accept\n%s"
	return "table inet lectern_policy {}\ndelete table inet lectern_policy\ntable inet lectern_policy {\n" +
		chains.String() +
		"\tchain between_pods {\n" + fmt.Sprintf(head, "forward", jumps.String()) + "\t}\n" +
		"\tchain to_node {\n" + fmt.Sprintf(head, "input", jumps.String()) + "\t}\n}\n"
}

// allowed returns the rules that let a pod's connections pass in a direction; closed reports whether any policy
// applies.
func (w *clusterState) allowed(pod apiObject, direction string) (rules string, closed bool) {
	for _, policy := range w.policies {
		if policy.Metadata.Namespace != pod.Metadata.Namespace ||
			!slices.Contains(policy.Spec.PolicyTypes, direction) ||
			!policy.Spec.PodSelector.matches(w.t, pod.Metadata.Labels) {
			continue
		}
		closed = true
		list, match := policy.Spec.Ingress, "ip saddr"
		if direction == "Egress" {
			list, match = policy.Spec.Egress, "ip daddr"
		}
		for _, rule := range list {
			where := ""
			if peers := append(rule.From, rule.To...); len(peers) > 0 {
				addresses := w.addresses(policy.Metadata.Namespace, peers)
				if len(addresses) == 0 {
					continue
				}
				where = match + " { " + strings.Join(addresses, ", ") + " } "
			}
			if len(rule.Ports) == 0 {
				rules += "\t\t" + where + "return\n"
			}
			for _, p := range rule.Ports {
				rules += fmt.Sprintf("\t\t%s%s dport %d return\n", where, strings.ToLower(p.Protocol),
					w.port(pod, p.Port))
			}
		}
	}
	return rules, closed
}

// port returns a port number, given as a number or as the name of one of the pod's ports.
func (w *clusterState) port(pod apiObject, port any) int {
	if number, ok := port.(float64); ok {
		return int(number)
	}
	for _, c := range pod.Spec.Containers {
		for _, p := range c.Ports {
			if p.Name == port {
				return p.ContainerPort
			}
		}
	}
	w.t.Fatalf("pod %s has no port %v", pod.Metadata.Name, port)
	return 0
}

// addresses returns the addresses of the pods and networks that peers describe.
func (w *clusterState) addresses(home string, peers []peer) (list []string) {
	for _, p := range peers {
		if p.IPBlock != nil {
			list = append(list, p.IPBlock.CIDR)
			continue
		}
		for _, pod := range w.pods {
			there := pod.Metadata.Namespace == home
			if p.NamespaceSelector != nil {
				there = p.NamespaceSelector.matches(w.t, w.namespaces[pod.Metadata.Namespace])
			}
			if there && (p.PodSelector == nil || p.PodSelector.matches(w.t, pod.Metadata.Labels)) {
				list = append(list, pod.Status.PodIP)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// enforce puts the current policies into force.
func enforce(t testing.TB) {
	t.Helper()
	if err := kubenode.ApplyRules(readCluster(t).rules()); err != nil {
		t.Fatal(err)
	}
}
