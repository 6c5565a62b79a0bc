package openapi

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// maxExcerpt limits the number of components in an excerpt.
const maxExcerpt = 200

// maxWalk limits the number of values in an excerpt.
const maxWalk = 200_000

// Excerpt returns a separate description, as JSON, with only this operation and the components it refers to. Like a
// filtered description, it contains no other operations, because they may be restricted to other readers. It is
// truncated if it becomes too large.
func (o *Operation) Excerpt() string {
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, key := range []string{"openapi", "swagger", "info", "servers", "host", "basePath", "schemes"} {
		if v := o.spec.root.Get(key); v != nil {
			out.Set(jsontree.Member{Key: key, Value: v})
		}
	}
	f := o.spec.newFilter(maxWalk, o)
	f.operation(out, o)
	f.components(out, maxExcerpt)
	return out.JSON()
}

// Excerpt returns a separate description with only this channel and the operations that use it, in the same way as an
// operation's Excerpt.
func (c *Channel) Excerpt() string {
	root := c.spec.root
	f := c.spec.newFilter(maxWalk)
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, key := range []string{"asyncapi", "info", "servers", "defaultContentType"} {
		if v := root.Get(key); v != nil {
			out.Set(jsontree.Member{Key: key, Value: v})
		}
	}
	child(out, "channels").Set(jsontree.Member{Key: c.Name, Value: f.copy(c.raw, 0)})
	for _, m := range members(root.Get("operations")) {
		if op := c.spec.target(m.Value); op != nil && slices.Contains(c.spec.uses[c.raw], op) {
			child(out, "operations").Set(jsontree.Member{Key: m.Key, Value: f.copy(op, 0)})
		}
	}
	f.components(out, maxExcerpt)
	return out.JSON()
}

// component reports whether a path leads to a named component. An excerpt copies referenced values only to such paths,
// because any other path may be inside a value that is copied already.
func component(keys []string) bool {
	switch keys[0] {
	case "components":
		return len(keys) == 3
	case "definitions", "parameters", "responses", "securityDefinitions":
		return len(keys) == 2
	}
	return false
}

// securityNames returns the names of the operation's own security schemes, or else those of the whole description.
func securityNames(o *Operation) (out []string) {
	list := o.raw.Get("security")
	if list == nil {
		list = o.spec.root.Get("security")
	}
	for _, item := range items(list) {
		for _, m := range members(item) {
			out = append(out, m.Key)
		}
	}
	return out
}
