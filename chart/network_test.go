package chart

import (
	"slices"
	"strings"
	"testing"
)

// admits reports whether a policy allows ingress from pods with the labels at a named port.
func admits(policy object, port string, labels object) bool {
	for _, rule := range list(policy, "spec", "ingress") {
		if !slices.ContainsFunc(list(rule, "ports"), func(p any) bool { return text(p, "port") == port }) {
			continue
		}
		if at(rule, "from") == nil {
			return true // everybody is admitted
		}
		for _, peer := range list(rule, "from") {
			if selects(peer, labels) {
				return true
			}
		}
	}
	return false
}

// selects reports whether a peer matches pods of this namespace with the labels.
func selects(peer any, labels object) bool {
	return matches(at(peer, "podSelector", "matchLabels"), labels) && at(peer, "namespaceSelector") == nil
}

// matches reports whether a selector is not empty and all its labels are in labels.
func matches(matchLabels any, labels object) bool {
	wanted, _ := matchLabels.(object)
	for label, value := range wanted {
		if labels[label] != value {
			return false
		}
	}
	return len(wanted) > 0
}

// leads reports whether a policy allows egress from its pods to pods with the labels.
func leads(policy, labels object) bool {
	return slices.ContainsFunc(list(policy, "spec", "egress"), func(rule any) bool {
		return slices.ContainsFunc(list(rule, "to"), func(peer any) bool { return selects(peer, labels) })
	})
}

// H4: whichever clients are listed, the export job can reach its own release's server, but only if it calls that
// server.
func TestExportJobReachesItsServer(t *testing.T) {
	clients := "networkPolicy.clientsFrom[0].namespaceSelector.matchLabels.name=ingress"
	for name, row := range map[string]struct {
		set      []string
		in, out  bool
		somebody bool // whether the policy also lists a namespace
	}{
		"everybody may":          {nil, true, true, false},
		"some clients":           {[]string{clients}, true, true, true},
		"it asks another server": {[]string{clients, "exportJob.url=https://other.example.com"}, false, false, true},
		"there is no such job": {[]string{clients, "exportJob.enabled=false", "staticExport.enabled=false"}, false,
			false, true},
		"the names are different": {[]string{clients, "nameOverride=other"}, true, true, true},
	} {
		objects := rendering{files: []string{"everything"}, set: row.set}.objects(t)
		server, err := find(objects, "NetworkPolicy", "-server")
		if err != nil {
			t.Fatal(err)
		}
		// default labels for when the job does not exist
		labels := map[string]object{"export": {"app.kubernetes.io/name": "lectern",
			"app.kubernetes.io/instance": release, "app.kubernetes.io/component": "export"}}
		for _, p := range pods(objects) {
			labels[p.component] = p.labels
		}
		if got := admits(server, "http", labels["export"]); got != row.in {
			t.Errorf("%s: the server admits the job: %t", name, got)
		}
		from := list(list(server, "spec", "ingress")[0], "from")
		if listed := len(from) > 0 &&
			text(from[0], "namespaceSelector", "matchLabels", "name") == "ingress"; listed != row.somebody {
			t.Errorf("%s: clients are %v", name, from)
		}
		for _, o := range objects {
			if kind(o) != "NetworkPolicy" {
				continue
			}
			if want := row.out && strings.HasSuffix(nameOf(o), "-export"); leads(o, labels["server"]) != want {
				t.Errorf("%s: %s allows egress to the server: %t", name, nameOf(o), !want)
			}
			if nameOf(o) != nameOf(server) && row.somebody && admits(o, "http", labels["export"]) {
				t.Errorf("%s: %s admits the job, which does not need access", name, nameOf(o))
			}
		}
	}
}
