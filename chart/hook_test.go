package chart

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// hooks returns the objects that Helm creates before the others at an installation or upgrade.
func hooks(objects []object) (out []object) {
	for _, o := range objects {
		if hook := text(o, "metadata", "annotations", "helm.sh/hook"); hook != "" && hook != "test" {
			out = append(out, o)
		}
	}
	return out
}

// named returns the objects that a pod needs before it can run, as kind and name.
func (p pod) named() (names []string) {
	add := func(kind string, v any, path ...string) {
		if name := text(v, path...); name != "" {
			names = append(names, kind+" "+name)
		}
	}
	sources := func(v any) {
		add("ConfigMap", v, "configMap", "name")
		add("Secret", v, "secret", "name")
	}
	add("ServiceAccount", p.spec, "serviceAccountName")
	for _, s := range list(p.spec, "imagePullSecrets") {
		add("Secret", s, "name")
	}
	for _, v := range list(p.spec, "volumes") {
		sources(v)
		add("Secret", v, "secret", "secretName")
		add("PersistentVolumeClaim", v, "persistentVolumeClaim", "claimName")
		for _, s := range list(v, "projected", "sources") {
			sources(s)
		}
	}
	for _, c := range p.containers() {
		for _, e := range list(c, "env") {
			add("ConfigMap", e, "valueFrom", "configMapKeyRef", "name")
			add("Secret", e, "valueFrom", "secretKeyRef", "name")
		}
		for _, e := range list(c, "envFrom") {
			add("ConfigMap", e, "configMapRef", "name")
			add("Secret", e, "secretRef", "name")
		}
	}
	return names
}

// late returns the objects that hook pods need but that do not exist yet when they run, because the chart does not
// create them in earlier hooks.
func late(objects []object) (found []string) {
	for _, hook := range hooks(objects) {
		for _, p := range pods([]object{hook}) {
			names := p.named()
			for _, o := range objects {
				if kind(o) == "NetworkPolicy" &&
					text(o, "spec", "podSelector", "matchLabels", "app.kubernetes.io/component") == p.component {
					// without the policy, the pod has no network access in a namespace that denies all traffic by
					// default
					names = append(names, "NetworkPolicy "+nameOf(o))
				}
			}
			for _, o := range objects {
				for _, name := range names {
					if name == kind(o)+" "+nameOf(o) && !before(o, hook) {
						found = append(found, fmt.Sprintf("%s needs %s", p.owner, name))
					}
				}
			}
		}
	}
	return found
}

// before reports whether Helm creates an object before a hook, at each of the hook's events, and keeps it until the
// hook has ended.
func before(o, hook object) bool {
	note := func(o object, name string) string { return text(o, "metadata", "annotations", "helm.sh/"+name) }
	mine, errMine := strconv.Atoi(note(o, "hook-weight"))
	its, errIts := strconv.Atoi(note(hook, "hook-weight"))
	return errMine == nil && errIts == nil && mine < its && note(o, "hook") == note(hook, "hook") &&
		note(o, "hook-delete-policy") == "before-hook-creation"
}

// H4: hooks run before the chart's other objects exist. Earlier hooks or the operator create the objects that their
// pods refer to and the policy that permits their connections.
func TestHooksUseNoLaterObjects(t *testing.T) {
	every(t, func(t *testing.T, objects []object) {
		for _, what := range late(objects) {
			t.Error(what)
		}
	})
	for name, set := range map[string]string{
		"an account with a name": "serviceAccount.name=lectern",
		"an account of yours":    "serviceAccount.create=false,serviceAccount.name=lectern",
		"settings":               "platform.settings.export.link-life=4h",
		"a key to sign with":     "platform.signingKeySecret.name=signing",
	} {
		objects := rendering{files: []string{"everything"}, set: []string{set}}.objects(t)
		if found := late(objects); len(found) > 0 || len(pods(hooks(objects))) != 1 {
			t.Errorf("%s: %q", name, found)
		}
	}
}

const hookAndNeeds = `
{kind: Job, metadata: {name: j, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "0"}}, spec: {template: {metadata: {labels: {app.kubernetes.io/component: c}}, spec: {
  serviceAccountName: n, imagePullSecrets: [{name: pull}], volumes: [{configMap: {name: n}}, {secret: {secretName: mounted}}, {persistentVolumeClaim: {claimName: n}}, {projected: {sources: [{secret: {name: projected}}]}}],
  containers: [{env: [{valueFrom: {secretKeyRef: {name: n}}}, {valueFrom: {configMapKeyRef: {name: variable}}}], envFrom: [{configMapRef: {name: variables}}, {secretRef: {name: variables}}]}]}}}}
---
{kind: KIND, metadata: {name: NAME, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "-5", helm.sh/hook-delete-policy: before-hook-creation}}, spec: {podSelector: {matchLabels: {app.kubernetes.io/component: c}}}}
`

// The check finds every kind of reference, and every way in which an object may be created too late.
func TestHookCheckFindsLaterObjects(t *testing.T) {
	for _, what := range []string{
		"ServiceAccount n", "Secret pull", "ConfigMap n", "Secret mounted", "PersistentVolumeClaim n",
		"Secret projected", "Secret n", "ConfigMap variable", "ConfigMap variables", "Secret variables",
		"NetworkPolicy any",
	} {
		wanted, name, _ := strings.Cut(what, " ")
		good := strings.NewReplacer("KIND", wanted, "NAME", name).Replace(hookAndNeeds)
		if found := late(parse(t, good)); len(found) > 0 {
			t.Errorf("%s is created in time, but found %q", what, found)
		}
		for why, change := range map[string][2]string{
			"no hook":         {`helm.sh/hook: pre-install, helm.sh/hook-weight: "-5"`, `other: "-5"`},
			"the same weight": {`"-5"`, `"0"`},
			"another event": {`helm.sh/hook: pre-install, helm.sh/hook-weight: "-5"`,
				`helm.sh/hook: post-install, helm.sh/hook-weight: "-5"`},
			"taken away early": {"before-hook-creation", "hook-succeeded"},
		} {
			if found := late(parse(t, strings.Replace(good, change[0], change[1], 1))); len(found) != 1 ||
				!strings.HasSuffix(found[0], what) {
				t.Errorf("%s, %s: found %q", what, why, found)
			}
		}
	}
}

// The migration gets the same extra variables, volumes and mounts as servers. A database with a private certificate
// authority needs them.
func TestMigrationHasServerSettings(t *testing.T) {
	extra := []string{
		"platform.extraEnv[0].name=SSL_CERT_DIR,platform.extraEnv[0].value=/etc/lectern/ca",
		"platform.extraVolumes[0].name=ca,platform.extraVolumes[0].configMap.name=internal-ca",
		"platform.extraVolumeMounts[0].name=ca,platform.extraVolumeMounts[0].mountPath=/etc/lectern/ca",
	}
	objects := rendering{files: []string{"platform"}, set: extra}.objects(t)
	for _, component := range []string{"migrate", "server", "worker"} {
		p, err := podOf(objects, component)
		if err != nil {
			t.Fatal(err)
		}
		c := p.containers()[0]
		for what, row := range map[string]struct {
			in   []any
			want object
		}{
			"variable": {list(c, "env"), object{"name": "SSL_CERT_DIR", "value": "/etc/lectern/ca"}},
			"mount":    {list(c, "volumeMounts"), object{"name": "ca", "mountPath": "/etc/lectern/ca"}},
			"volume":   {list(p.spec, "volumes"), object{"name": "ca", "configMap": object{"name": "internal-ca"}}},
		} {
			if got := row.in[len(row.in)-1]; !reflect.DeepEqual(got, any(row.want)) {
				t.Errorf("%s: its last %s is %v", component, what, got)
			}
		}
	}
}

// The migration runs on the servers' nodes unless its own values differ.
func TestMigrationRunsOnServerNodes(t *testing.T) {
	place := func(part, value string) string {
		return strings.ReplaceAll(
			fmt.Sprintf(
				"platform.P.nodeSelector.disk=%[1]s,platform.P.tolerations[0].key=%[1]s,platform.P.tolerations[0].operator=Exists,platform.P.priorityClassName=%[1]s,"+
					"platform.P.affinity.nodeAffinity.a=%[1]s,platform.P.affinity.podAntiAffinity.b=%[1]s", value),
			"P.", part+".")
	}
	for name, row := range map[string]struct {
		set  []string
		want string
		anti bool // whether it has a pod anti-affinity
	}{
		"nothing said":    {nil, "", false},
		"of the servers":  {[]string{place("server", "one")}, "one", false},
		"of its own":      {[]string{place("server", "one"), place("migrations", "two")}, "two", true},
		"its own and all": {[]string{place("migrations", "two")}, "two", true},
	} {
		p, err := podOf(rendering{files: []string{"platform"}, set: row.set}.objects(t), "migrate")
		if err != nil {
			t.Fatal(err)
		}
		key := ""
		for _, toleration := range list(p.spec, "tolerations") {
			key += text(toleration, "key")
		}
		got := []string{text(p.spec, "nodeSelector", "disk"), key, text(p.spec, "priorityClassName"),
			text(p.spec, "affinity", "nodeAffinity", "a")}
		if want := []string{row.want, row.want, row.want, row.want}; !reflect.DeepEqual(got, want) ||
			(at(p.spec, "affinity", "podAntiAffinity") != nil) != row.anti {
			t.Errorf("%s: %q, affinity %v", name, got, at(p.spec, "affinity"))
		}
	}
}
