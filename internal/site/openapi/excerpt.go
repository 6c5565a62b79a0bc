package openapi

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// maxExcerpt bounds the components that an excerpt carries along.
const maxExcerpt = 200

// maxWalk bounds the values that are looked into for references of one excerpt.
const maxWalk = 200_000

// Excerpt returns the operation as a description of its own, in JSON: the part of the whole that it needs, with the
// components it refers to. It is cut short where it grows beyond reason.
func (o *Operation) Excerpt() string {
	root := o.spec.root
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, key := range []string{"openapi", "swagger", "info", "servers", "host", "basePath", "schemes"} {
		if v := root.Get(key); v != nil {
			out.Set(jsontree.Member{Key: key, Value: v})
		}
	}
	item := &jsontree.Value{Kind: jsontree.Object}
	method := strings.ToLower(o.Method)
	part := "paths"
	if o.Method == Webhook {
		part, method = "webhooks", "post"
	}
	if shared := o.item.Get("parameters"); shared != nil {
		item.Set(jsontree.Member{Key: "parameters", Value: shared})
	}
	item.Set(jsontree.Member{Key: method, Value: o.raw})
	out.Set(jsontree.Member{Key: part, Value: jsontree.NewObject(jsontree.Member{Key: o.Path, Value: item})})
	var schemes []string
	for _, name := range securityNames(o) {
		schemes = append(schemes, "#/components/securitySchemes/"+name)
	}
	o.spec.components(out, item, schemes)
	return out.JSON()
}

// Excerpt returns the channel as a description of its own, like that of an operation: with the operations that use it.
func (c *Channel) Excerpt() string {
	root := c.spec.root
	out, parts := &jsontree.Value{Kind: jsontree.Object}, &jsontree.Value{Kind: jsontree.Object}
	for _, key := range []string{"asyncapi", "info", "servers", "defaultContentType"} {
		if v := root.Get(key); v != nil {
			out.Set(jsontree.Member{Key: key, Value: v})
		}
	}
	parts.Set(jsontree.Member{Key: "channels", Value: jsontree.NewObject(jsontree.Member{Key: c.Name, Value: c.raw})})
	uses := &jsontree.Value{Kind: jsontree.Object}
	for _, m := range members(root.Get("operations")) {
		if op := c.spec.target(m.Value); op != nil && slices.Contains(c.spec.uses[c.raw], op) {
			uses.Set(jsontree.Member{Key: m.Key, Value: op})
		}
	}
	if len(uses.Members) > 0 {
		parts.Set(jsontree.Member{Key: "operations", Value: uses})
	}
	for _, m := range parts.Members {
		out.Set(m)
	}
	c.spec.components(out, parts, nil)
	return out.JSON()
}

// components copies what is referred to below from, and below that, and the parts that more names, to the same places
// in out.
func (s *Spec) components(out, from *jsontree.Value, more []string) {
	seen := map[string]bool{}
	found := &references{met: map[*jsontree.Value]bool{}, left: maxWalk}
	found.in(from, 0)
	queue := append(found.list, more...)
	for at := 0; at < len(queue) && len(seen) < maxExcerpt; at++ {
		ref := queue[at]
		path, local := strings.CutPrefix(ref, "#/")
		if !local || seen[ref] {
			continue
		}
		seen[ref] = true
		keys := strings.Split(path, "/")
		v := s.root
		for i, k := range keys {
			keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(k)
			v = v.Get(keys[i])
		}
		if v == nil || !component(keys) {
			continue
		}
		to := out
		for _, k := range keys[:len(keys)-1] {
			next := to.Get(k)
			if next == nil {
				next = &jsontree.Value{Kind: jsontree.Object}
				to.Set(jsontree.Member{Key: k, Value: next})
			}
			to = next
		}
		if to.Get(keys[len(keys)-1]) == nil {
			to.Set(jsontree.Member{Key: keys[len(keys)-1], Value: v})
		}
		found.list = nil
		found.in(v, 0)
		queue = append(queue, found.list...)
	}
}

// component reports whether a path is that of a named component. An excerpt copies nothing to other paths: they may be
// inside a copied value.
func component(keys []string) bool {
	switch keys[0] {
	case "components":
		return len(keys) == 3
	case "definitions", "parameters", "responses", "securityDefinitions":
		return len(keys) == 2
	}
	return false
}

// references collects the values of $ref. It looks into each value once: aliases make values that hold each other many
// times.
type references struct {
	list []string
	met  map[*jsontree.Value]bool
	left int // values that may still be looked into
}

func (r *references) in(v *jsontree.Value, depth int) {
	if v == nil || v.Kind < jsontree.List || depth > maxDepth || len(r.list) > 10*maxExcerpt || r.met[v] ||
		r.left <= 0 {
		return
	}
	r.met[v] = true
	r.left--
	for _, item := range v.Items {
		r.in(item, depth+1)
	}
	for _, m := range v.Members {
		if m.Key == "$ref" && m.Value.Is(jsontree.String) {
			r.list = append(r.list, m.Value.Text())
			continue
		}
		r.in(m.Value, depth+1)
	}
}

// securityNames returns the schemes that the operation, or else the whole description, asks for.
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
