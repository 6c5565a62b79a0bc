package docsjson

import (
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
)

// gitVersionsShape returns the schema of the rules for versions from branches and tags. The key is an extension of
// this platform; other programs that read the file ignore it.
func gitVersionsShape() *shape {
	return object(
		key{name: "tags", shape: texts()}, key{name: "branches", shape: texts()}, key{name: "exclude", shape: texts()},
		key{name: "order", shape: texts()}, key{name: "default", shape: text()},
		key{name: "aliases", shape: open(text())}, key{name: "limit", shape: number()})
}

// gitVersions decodes the rules that select branches and tags as versions of the site.
func (d *decoder) gitVersions(v *jsontree.Value) {
	if !v.Is(jsontree.Object) {
		return
	}
	r := &d.cfg.GitVersions
	r.Tags, r.Branches, r.Exclude = d.patterns(v, "tags"), d.patterns(v, "branches"), d.patterns(v, "exclude")
	r.Order = v.Get("order").Texts()
	textTo(v.Get("default"), &r.Default)
	if limit := v.Get("limit"); limit.Is(jsontree.Number) {
		n, err := strconv.Atoi(limit.Str)
		if err != nil || n < 1 || n > refversion.MaxLimit {
			d.list.Warnf(limit.Pos(), "bad-value", `"gitVersions.limit" must be a whole number from 1 to %d.`,
				refversion.MaxLimit)
		} else {
			r.Limit = n
		}
	}
	if aliases := v.Get("aliases"); aliases.Is(jsontree.Object) {
		r.Aliases = map[string]string{}
		for _, m := range aliases.Members {
			if m.Value.Kind != jsontree.Null {
				r.Aliases[m.Key] = m.Value.Text()
			}
		}
	}
	if r.IsZero() {
		d.list.Warnf(v.Pos(), "bad-value", `"gitVersions" needs "tags" or "branches", patterns of names such as "v*".`)
	}
}

// patterns decodes the valid patterns of a key.
func (d *decoder) patterns(v *jsontree.Value, name string) []string {
	from := v.Get(name)
	return slices.DeleteFunc(from.Texts(), func(p string) bool {
		if refversion.Valid(p) {
			return false
		}
		d.list.Warnf(from.Pos(), "bad-value", `%q in "gitVersions.%s" is not a valid name pattern.`, p, name)
		d.list.Hint(`Write "v*", or "release/(*)" to use a part of the name as the version's name.`)
		return true
	})
}
