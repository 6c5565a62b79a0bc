package docsjson

import "github.com/lectern-docs/lectern/internal/diag"

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

var kindNames = [...]string{"null", "true or false", "a number", "text", "a list", "an object"}

func (k kind) String() string { return kindNames[k] }

// value is a JSON value that knows where it was written.
type value struct {
	kind    kind
	str     string // text, and the spelling of a number
	truth   bool
	items   []*value
	members []member
	pos     diag.Pos
}

type member struct {
	key string
	pos diag.Pos
	val *value
}

// get returns the member with this key, or nil. It is nil-safe so that look-ups can be chained.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	for i := range v.members {
		if v.members[i].key == key {
			return v.members[i].val
		}
	}
	return nil
}

// set replaces or adds a member.
func (v *value) set(m member) {
	for i := range v.members {
		if v.members[i].key == m.key {
			v.members[i] = m
			return
		}
	}
	v.members = append(v.members, m)
}
