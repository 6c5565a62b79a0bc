package scim

import (
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// maxMembers is the maximum size of a group.
const maxMembers = 20_000

// groupDraft is a group that a request is changing.
type groupDraft struct {
	account.DirectoryGroup
	had    map[string]bool // ids of its members; nil for a new group
	wanted map[string]bool
}

func (d *groupDraft) added() []string   { return minus(d.wanted, d.had) }
func (d *groupDraft) removed() []string { return minus(d.had, d.wanted) }

// minus returns the sorted elements of a that are not in b.
func minus(a, b map[string]bool) (out []string) {
	for one := range a {
		if !b[one] {
			out = append(out, one)
		}
	}
	slices.Sort(out)
	return out
}

// fill sets all attributes of a resource; unknown ones are ignored.
func (d *groupDraft) fill(body map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(body)) {
		at, err := parsePath(name)
		if err != nil {
			continue // an unknown extension
		}
		if err := d.apply(operation{op: opReplace, path: at, value: body[name], loose: true}); err != nil {
			return err
		}
	}
	if d.DisplayName == "" {
		return bad(invalidValue, "displayName is required.")
	}
	return nil
}

// apply changes one attribute.
func (d *groupDraft) apply(o operation) (err error) {
	if o.path.name != "members" && (o.path.sub != "" || o.path.where != nil) && !o.loose {
		return bad(invalidPath, "The attribute %s of groups has no such part.", o.path.name)
	}
	switch o.path.name {
	case "displayname":
		if d.DisplayName, err = textValue("displayName", o.value); err == nil && (d.DisplayName == "" || o.op == opRemove) {
			err = bad(invalidValue, "displayName must not be empty.")
		}
	case "externalid":
		if o.op == opRemove {
			o.value = nil
		}
		d.ExternalID, err = textValue("externalId", o.value)
	case "members":
		err = d.setMembers(o)
	case "schemas", "meta":
	case "id":
		if text, _ := o.value.(string); !o.loose || d.ID != "" && text != d.ID {
			err = bad(mutability, "id cannot be changed.")
		}
	default:
		if !o.loose {
			err = bad(invalidPath, "Groups have no attribute %s.", o.path.name)
		}
	}
	return err
}

// setMembers adds, removes or replaces members. Providers specify the members to remove either in the path or in the
// value.
func (d *groupDraft) setMembers(o operation) error {
	chosen, err := chosenMembers(o)
	if err != nil {
		return err
	}
	switch {
	case o.op == opRemove && o.path.where == nil && o.value == nil:
		clear(d.wanted)
	case o.op == opRemove:
		for _, one := range chosen {
			delete(d.wanted, one)
		}
		return nil
	case o.op == opReplace && o.path.where == nil:
		clear(d.wanted)
	}
	for _, one := range chosen {
		d.wanted[one] = true
	}
	if len(d.wanted) > maxMembers {
		return bad(invalidValue, "A group may have at most %d members.", maxMembers)
	}
	return nil
}

// chosenMembers returns the ids of the users in an operation.
func chosenMembers(o operation) (ids []string, err error) {
	if o.path.where != nil {
		if text, ok := o.path.where[0].value.(string); ok && len(o.path.where) == 1 && o.path.where[0].name == "value" &&
			o.path.where[0].sub == "" && o.path.sub == "" && o.op == opRemove {
			return []string{text}, nil
		}
		return nil, bad(invalidPath, "Members can only be selected with members[value eq \"id\"], and only to remove them.")
	}
	if o.path.sub != "" {
		return nil, bad(mutability, "Members are added and removed whole.")
	}
	list, err := objects("members", o.value)
	for _, one := range list {
		v, _ := field(one, "value")
		kind, _ := field(one, "type")
		word, _ := kind.(string)
		text, ok := v.(string)
		if !ok || text == "" || strings.EqualFold(word, "Group") {
			return nil, bad(invalidValue, "members must be a list of objects with the id of a user as value.")
		}
		ids = append(ids, text)
	}
	return ids, err
}
