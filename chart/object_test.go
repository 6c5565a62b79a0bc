package chart

import (
	"fmt"
	"strings"
)

// object is a Kubernetes object, or a part of one, as decoded from YAML.
type object = map[string]any

// at returns the value at a path of map keys, or nil.
func at(v any, path ...string) any {
	for _, key := range path {
		m, ok := v.(object)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func text(v any, path ...string) string {
	s, _ := at(v, path...).(string)
	return s
}

// number returns the integer at a path of map keys, or 0.
func number(v any, path ...string) int64 {
	switch n := at(v, path...).(type) {
	case uint64:
		return int64(n)
	case int64:
		return n
	case int:
		return int64(n)
	}
	return 0
}

func list(v any, path ...string) []any {
	l, _ := at(v, path...).([]any)
	return l
}

func kind(o object) string { return text(o, "kind") }

func nameOf(o object) string { return text(o, "metadata", "name") }

// pod is a pod template with the object that contains it.
type pod struct {
	owner       string // kind and name
	component   string
	labels      object
	spec        object
	annotations object
}

// pods returns the templates of all workloads.
func pods(objects []object) (out []pod) {
	for _, o := range objects {
		var template any
		switch kind(o) {
		case "Deployment", "StatefulSet", "Job", "DaemonSet", "ReplicaSet":
			template = at(o, "spec", "template")
		case "CronJob":
			template = at(o, "spec", "jobTemplate", "spec", "template")
		case "Pod":
			template = o
		default:
			continue
		}
		spec, _ := at(template, "spec").(object)
		annotations, _ := at(template, "metadata", "annotations").(object)
		labels, _ := at(template, "metadata", "labels").(object)
		out = append(out, pod{owner: kind(o) + " " + nameOf(o), component: text(labels, "app.kubernetes.io/component"),
			labels: labels, spec: spec, annotations: annotations})
	}
	return out
}

// containers returns a pod's containers of all three kinds.
func (p pod) containers() (out []object) {
	for _, key := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, c := range list(p.spec, key) {
			if o, ok := c.(object); ok {
				out = append(out, o)
			}
		}
	}
	return out
}

// find returns the only object of a kind whose name has the given ending.
func find(objects []object, want, ending string) (object, error) {
	var found []object
	for _, o := range objects {
		if kind(o) == want && strings.HasSuffix(nameOf(o), ending) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d objects of kind %s end with %s", len(found), want, ending)
	}
	return found[0], nil
}

// podOf returns the only pod of a component.
func podOf(objects []object, component string) (pod, error) {
	for _, p := range pods(objects) {
		if p.component == component {
			return p, nil
		}
	}
	return pod{}, fmt.Errorf("no pod of %s", component)
}
