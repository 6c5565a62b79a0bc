package scim

import (
	"maps"
	"slices"
	"strings"
)

const (
	patchSchema   = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
	maxOperations = 1000
)

// The operations of PATCH.
const (
	opAdd     = "add"
	opReplace = "replace"
	opRemove  = "remove"
)

// operation changes one attribute. An operation without a path is split into one operation for each attribute of its
// value.
type operation struct {
	op    string
	path  attribute
	value any
	loose bool // the attribute's name comes from the value, where unknown names are not errors
}

// readPatch parses the body of a PATCH. Providers differ in the case of operation names, and in whether they send a
// path.
func readPatch(body map[string]any) (out []operation, err error) {
	list, _ := field(body, "operations")
	all, ok := list.([]any)
	if !ok || len(all) == 0 || len(all) > maxOperations {
		return nil, bad(invalidSyntax, "Operations must be a list of 1 to %d operations.", maxOperations)
	}
	for _, one := range all {
		object, ok := one.(map[string]any)
		if !ok {
			return nil, bad(invalidSyntax, "Operations must be a list of objects.")
		}
		list, err := readOperation(object)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func readOperation(object map[string]any) ([]operation, error) {
	name, _ := field(object, "op")
	word, _ := name.(string)
	op := strings.ToLower(word)
	if op != opAdd && op != opReplace && op != opRemove {
		return nil, bad(invalidSyntax, "op must be add, replace or remove.")
	}
	value, _ := field(object, "value")
	where, given := field(object, "path")
	path, isText := where.(string)
	if given && where != nil && !isText {
		return nil, bad(invalidPath, "path must be a string.")
	}
	if path != "" {
		at, err := parsePath(path)
		return []operation{{op: op, path: at, value: value}}, err
	}
	if op == opRemove {
		return nil, bad(noTarget, "remove needs a path.")
	}
	attributes, ok := value.(map[string]any)
	if !ok {
		return nil, bad(invalidValue, "An operation without a path needs an object as its value.")
	}
	var out []operation
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		at, err := parsePath(name)
		if err != nil {
			return nil, err
		}
		out = append(out, operation{op: op, path: at, value: attributes[name], loose: true})
	}
	return out, nil
}
