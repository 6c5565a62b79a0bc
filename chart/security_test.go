package chart

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// every runs a check on the objects of each set of values.
func every(t *testing.T, check func(t *testing.T, objects []object)) {
	for _, name := range sets(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, rendering{files: []string{name}, more: apiVersions(name)}.objects(t))
		})
	}
}

// H1: every pod satisfies Pod Security "restricted".
func TestPodsAreRestricted(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		if len(pods(objects)) == 0 {
			t.Error("no pods")
		}
		for _, p := range pods(objects) {
			for _, fault := range restricted(p) {
				t.Errorf("%s: %s", p.owner, fault)
			}
		}
	})
}

const restrictedPod = `
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  volumes: [{name: a, emptyDir: {}}]
  initContainers:
    - {name: i, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}
  containers:
    - {name: c, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}, ports: [{containerPort: 80}]}
`

// In an otherwise valid pod, the check finds each violation of the standard, and nothing else.
func TestCheckFindsEachViolation(t *testing.T) {
	container := "containers.c."
	for name, row := range map[string]struct{ old, replacement, want string }{
		"host network":       {"spec:\n", "spec:\n  hostNetwork: true\n", "hostNetwork"},
		"host processes":     {"spec:\n", "spec:\n  hostPID: true\n", "hostPID"},
		"host ipc":           {"spec:\n", "spec:\n  hostIPC: true\n", "hostIPC"},
		"host path":          {"emptyDir: {}", "hostPath: {path: /}", "volumes.hostPath"},
		"volume of a driver": {"emptyDir: {}", "nfs: {server: x, path: /}", "volumes.nfs"},
		"sysctl": {"{runAsNonRoot: true,",
			"{runAsNonRoot: true, sysctls: [{name: kernel.msgmax, value: '1'}],", "securityContext.sysctls"},
		"apparmor annotation": {"spec:\n",
			"metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/c: unconfined}}\nspec:\n",
			"annotation container.apparmor"},
		"windows host of the pod": {"{runAsNonRoot: true,",
			"{runAsNonRoot: true, windowsOptions: {hostProcess: true},", "securityContext.windowsOptions.hostProcess"},
		"selinux type of the pod": {"{runAsNonRoot: true,", "{runAsNonRoot: true, seLinuxOptions: {type: spc_t},",
			"securityContext.seLinuxOptions.type"},
		"selinux user of the pod": {"{runAsNonRoot: true,", "{runAsNonRoot: true, seLinuxOptions: {user: root},",
			"securityContext.seLinuxOptions.user"},
		"selinux role of the pod": {"{runAsNonRoot: true,", "{runAsNonRoot: true, seLinuxOptions: {role: r},",
			"securityContext.seLinuxOptions.role"},
		"apparmor of the pod": {"{runAsNonRoot: true,",
			"{runAsNonRoot: true, appArmorProfile: {type: Unconfined},", "securityContext.appArmorProfile.type"},
		"seccomp of the pod": {"type: RuntimeDefault", "type: Unconfined",
			"securityContext.seccompProfile.type"},
		"user of the pod": {"{runAsNonRoot: true,", "{runAsNonRoot: true, runAsUser: 0,",
			"securityContext.runAsUser"},
		"root allowed by the pod": {"{runAsNonRoot: true,", "{runAsNonRoot: false,", "securityContext.runAsNonRoot"},
		"windows host": {"{drop: [ALL], add",
			"{drop: [ALL]}, windowsOptions: {hostProcess: true}, other: {add",
			container + "securityContext.windowsOptions"},
		"seccomp": {"{drop: [ALL], add",
			"{drop: [ALL]}, seccompProfile: {type: Unconfined}, other: {add",
			container + "securityContext.seccompProfile"},
		"apparmor": {"{drop: [ALL], add",
			"{drop: [ALL]}, appArmorProfile: {type: Unconfined}, other: {add",
			container + "securityContext.appArmorProfile"},
		"selinux": {"{drop: [ALL], add", "{drop: [ALL]}, seLinuxOptions: {type: spc_t}, other: {add",
			container + "securityContext.seLinuxOptions.type"},
		"user": {"{drop: [ALL], add", "{drop: [ALL]}, runAsUser: 0, other: {add",
			container + "securityContext.runAsUser"},
		"root allowed": {"{drop: [ALL], add", "{drop: [ALL]}, runAsNonRoot: false, other: {add",
			container + "securityContext.runAsNonRoot"},
		"privileged": {"{drop: [ALL], add", "{drop: [ALL]}, privileged: true, other: {add",
			container + "privileged"},
		"proc mount": {"{drop: [ALL], add", "{drop: [ALL]}, procMount: Unmasked, other: {add",
			container + "procMount"},
		"capability": {"[NET_BIND_SERVICE]", "[NET_BIND_SERVICE, SYS_ADMIN]",
			container + "capabilities.add"},
		"capabilities kept":      {"{drop: [ALL], add", "{drop: [NET_RAW], add", container + "capabilities.drop"},
		"capabilities not named": {"capabilities: {drop: [ALL]}", "other: {}", "containers.i.capabilities.drop"},
		"escalation": {"{name: c, securityContext: {allowPrivilegeEscalation: false,",
			"{name: c, securityContext: {allowPrivilegeEscalation: true,", container + "allowPrivilegeEscalation"},
		"escalation not named": {"{name: c, securityContext: {allowPrivilegeEscalation: false,",
			"{name: c, securityContext: {", container + "allowPrivilegeEscalation"},
		"escalation in an init one": {"{name: i, securityContext: {allowPrivilegeEscalation: false,",
			"{name: i, securityContext: {", "containers.i.allowPrivilegeEscalation"},
		"host port": {"{containerPort: 80}", "{containerPort: 80, hostPort: 80}", container + "hostPort"},
		"probe of another host": {"ports:", "livenessProbe: {httpGet: {host: 10.0.0.1, port: 80}}, ports:",
			container + "livenessProbe.httpGet.host"},
		"hook to another host": {"ports:", "lifecycle: {preStop: {tcpSocket: {host: 10.0.0.1, port: 80}}}, ports:",
			container + "lifecycle.preStop.tcpSocket.host"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(restrictedPod, row.old) {
				t.Fatalf("the pod has no %q", row.old)
			}
			found := restricted(readPod(t, strings.Replace(restrictedPod, row.old, row.replacement, 1)))
			if len(found) != 1 || !strings.HasPrefix(found[0], row.want) {
				t.Errorf("found %q, want %s", found, row.want)
			}
		})
	}
	if found := restricted(readPod(t, restrictedPod)); len(found) > 0 {
		t.Errorf("a good pod: %q", found)
	}
	bare := restricted(readPod(t, "spec: {containers: [{name: c}]}"))
	if got := strings.Join(bare, "; "); len(bare) != 4 || !strings.Contains(got, "seccompProfile is missing") ||
		!strings.Contains(got, "runAsNonRoot is missing") {
		t.Errorf("a bare pod: %q", bare)
	}
}

func readPod(t *testing.T, text string) pod {
	t.Helper()
	var o object
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	spec, _ := o["spec"].(object)
	annotations, _ := at(o, "metadata", "annotations").(object)
	return pod{spec: spec, annotations: annotations}
}

// H2, H3, H5: root file systems are read-only, writable paths are on named volumes, no token is mounted, no permission
// is granted, and every container has requests and limits.
func TestPodsHaveNoPermissionsOrWritableRoot(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		for _, o := range objects {
			if k := kind(o); strings.Contains(k, "Role") {
				t.Errorf("a %s is rendered", k)
			}
			if kind(o) == "ServiceAccount" && at(o, "automountServiceAccountToken") != false {
				t.Error("the account mounts its token")
			}
		}
		for _, p := range pods(objects) {
			if at(p.spec, "automountServiceAccountToken") != false || at(p.spec, "enableServiceLinks") != false {
				t.Errorf("%s: mounts a token or gets service variables", p.owner)
			}
			for _, c := range p.containers() {
				if at(c, "securityContext", "readOnlyRootFilesystem") != true || len(list(c, "volumeMounts")) == 0 {
					t.Errorf("%s: its root file system is writable", p.owner)
				}
				// H5
				if at(c, "resources", "requests", "memory") == nil || at(c, "resources", "limits", "memory") == nil {
					t.Errorf("%s: no requests or limits", p.owner)
				}
			}
		}
	})
}
