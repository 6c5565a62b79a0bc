package docsjson

import (
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// gitVersionsKey returns the key for the rules that select branches and tags as versions of the site. It is an
// extension of this platform; other programs that read the file ignore it.
func (d *decoder) gitVersionsKey(to *refversion.Rules) key {
	s := object(d.patternsKey("tags", &to.Tags), d.patternsKey("branches", &to.Branches),
		d.patternsKey("exclude", &to.Exclude), textsKey("order", &to.Order), textKey("default", &to.Default),
		textMapKey("aliases", &to.Aliases, text()), d.limitKey(&to.Limit))
	return key{name: "gitVersions", shape: s, set: func(v *jsontree.Value) {
		if store(v, s); to.IsZero() {
			d.list.Warnf(v.Pos(), "bad-value",
				`"gitVersions" needs "tags" or "branches", patterns of names such as "v*".`)
		}
	}}
}

// patternsKey returns a key for patterns of names. Invalid patterns are reported and left out.
func (d *decoder) patternsKey(name string, to *[]string) key {
	return key{name: name, shape: texts(), set: func(v *jsontree.Value) {
		*to = slices.DeleteFunc(v.Texts(), func(p string) bool {
			if refversion.Valid(p) {
				return false
			}
			d.list.Warnf(v.Pos(), "bad-value", `%q in "gitVersions.%s" is not a valid name pattern.`, p, name)
			d.list.Hint(`Write "v*", or "release/(*)" to use a part of the name as the version's name.`)
			return true
		})
	}}
}

func (d *decoder) limitKey(to *int) key {
	return key{name: "limit", shape: number(), set: func(v *jsontree.Value) {
		n, err := strconv.Atoi(v.Str)
		if err != nil || n < 1 || n > refversion.MaxLimit {
			d.list.Warnf(v.Pos(), "bad-value", `"gitVersions.limit" must be a whole number from 1 to %d.`,
				refversion.MaxLimit)
			return
		}
		*to = n
	}}
}
