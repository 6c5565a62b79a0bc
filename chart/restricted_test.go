package chart

import (
	"fmt"
	"slices"
	"strings"
)

// The checks of the Pod Security Standard "restricted", version 1.36, for one pod; "baseline" is part of it. Each line
// of the result names the invalid field.
//
// The lists are copied from the standard.
var (
	allowedVolumes = []string{"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim",
		"projected", "secret"}
	allowedSELinux = []any{nil, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}
	allowedSysctls = []string{"kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range",
		"net.ipv4.ip_unprivileged_port_start", "net.ipv4.tcp_syncookies",
		"net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time",
		"net.ipv4.tcp_fin_timeout",
		"net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"}
)

func restricted(p pod) []string {
	c := &checker{}
	c.podLevel(p)
	if len(p.containers()) == 0 {
		c.say("containers", "are missing")
	}
	for _, container := range p.containers() {
		c.container(p, container)
	}
	return c.found
}

type checker struct{ found []string }

func (c *checker) say(field, what string) { c.found = append(c.found, field+" "+what) }

// wants records a field whose value is not allowed; nil means an absent field.
func (c *checker) wants(field string, got any, allowed ...any) {
	if !slices.Contains(allowed, got) {
		c.say(field, fmt.Sprintf("is %v", got))
	}
}

func (c *checker) podLevel(p pod) {
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		c.wants(field, p.spec[field], nil, false)
	}
	for _, v := range list(p.spec, "volumes") {
		for source := range v.(object) {
			if source != "name" && !slices.Contains(allowedVolumes, source) {
				c.say("volumes."+source, "is not an allowed type")
			}
		}
	}
	for _, s := range list(p.spec, "securityContext", "sysctls") {
		if !slices.Contains(allowedSysctls, text(s, "name")) {
			c.say("securityContext.sysctls", "has "+text(s, "name"))
		}
	}
	for key, value := range p.annotations {
		profile := fmt.Sprint(value)
		if strings.HasPrefix(key, "container.apparmor.security.beta.kubernetes.io/") && profile != "runtime/default" &&
			!strings.HasPrefix(profile, "localhost/") {
			c.say("annotation "+key, "is "+profile)
		}
	}
	c.shared("securityContext", at(p.spec, "securityContext"))
}

// shared checks the fields that pods and containers have in common.
func (c *checker) shared(field string, sc any) {
	c.wants(field+".windowsOptions.hostProcess", at(sc, "windowsOptions", "hostProcess"), nil, false)
	c.wants(field+".seLinuxOptions.type", at(sc, "seLinuxOptions", "type"), allowedSELinux...)
	c.wants(field+".seLinuxOptions.user", at(sc, "seLinuxOptions", "user"), nil, "")
	c.wants(field+".seLinuxOptions.role", at(sc, "seLinuxOptions", "role"), nil, "")
	c.wants(field+".seccompProfile.type", at(sc, "seccompProfile", "type"), nil, "RuntimeDefault", "Localhost")
	c.wants(field+".appArmorProfile.type", at(sc, "appArmorProfile", "type"), nil, "RuntimeDefault", "Localhost")
	c.wants(field+".runAsNonRoot", at(sc, "runAsNonRoot"), nil, true)
	if user := at(sc, "runAsUser"); user != nil && number(sc, "runAsUser") == 0 {
		c.say(field+".runAsUser", "is 0")
	}
}

func (c *checker) container(p pod, container object) {
	field := "containers." + text(container, "name") + "."
	sc := at(container, "securityContext")
	c.shared(field+"securityContext", sc)
	c.wants(field+"privileged", at(sc, "privileged"), nil, false)
	c.wants(field+"procMount", at(sc, "procMount"), nil, "Default")
	c.wants(field+"allowPrivilegeEscalation", at(sc, "allowPrivilegeEscalation"), false)
	for _, add := range list(sc, "capabilities", "add") {
		c.wants(field+"capabilities.add", add, "NET_BIND_SERVICE")
	}
	if !slices.Contains(list(sc, "capabilities", "drop"), any("ALL")) {
		c.say(field+"capabilities.drop", "lacks ALL")
	}
	if at(sc, "seccompProfile", "type") == nil && at(p.spec, "securityContext", "seccompProfile", "type") == nil {
		c.say(field+"seccompProfile", "is missing")
	}
	if at(sc, "runAsNonRoot") == nil && at(p.spec, "securityContext", "runAsNonRoot") == nil {
		c.say(field+"runAsNonRoot", "is missing")
	}
	for _, port := range list(container, "ports") {
		if number(port, "hostPort") != 0 {
			c.say(field+"hostPort", "is used")
		}
	}
	c.hosts(field, container)
}

// hosts checks that probes and hooks connect only to the pod itself.
func (c *checker) hosts(field string, container object) {
	for _, probe := range [][]string{{"livenessProbe"}, {"readinessProbe"}, {"startupProbe"},
		{"lifecycle", "postStart"}, {"lifecycle", "preStop"}} {
		for _, how := range []string{"httpGet", "tcpSocket"} {
			path := append(slices.Clone(probe), how, "host")
			c.wants(field+strings.Join(path, "."), at(container, path...), nil, "")
		}
	}
}
