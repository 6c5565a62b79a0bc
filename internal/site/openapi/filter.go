package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// Filtered returns the description as JSON, with only the operations that keep accepts and the components they refer
// to. It copies what is kept instead of removing the rest. It therefore also omits parts that nothing refers to, text
// about groups of operations, extensions, and links to omitted operations. ok is false if nothing remains, or if the
// description cannot be filtered because it consists of several files, is not OpenAPI, or is very large.
func (s *Spec) Filtered(keep func(*Operation) bool) (text string, ok bool) {
	if s.Async || len(s.files) != 1 {
		return "", false
	}
	out := &jsontree.Value{Kind: jsontree.Object}
	for _, key := range []string{"openapi", "swagger", "info", "servers", "host", "basePath", "schemes", "consumes", "produces",
		"jsonSchemaDialect", "security"} {
		if v := s.root.Get(key); v != nil {
			out.Set(jsontree.Member{Key: key, Value: v})
		}
	}
	kept := slices.DeleteFunc(slices.Concat(s.Operations, s.Webhooks), func(o *Operation) bool { return !keep(o) })
	if len(kept) == 0 {
		return "", false
	}
	f := s.newFilter(maxValues, kept...)
	f.tagList(out)
	for _, o := range kept {
		f.operation(out, o)
	}
	f.components(out, maxValues)
	if f.left <= 0 {
		return "", false
	}
	text = out.JSONUpTo(maxFiltered)
	return text, len(text) < maxFiltered
}

// maxFiltered limits a filtered description, in bytes. With aliases, a small description can become huge.
const maxFiltered = 4 << 20

// filter copies parts of a description.
type filter struct {
	spec               *Spec
	ids, tags, schemes map[string]bool // ids, tags and security schemes of the kept operations
	places             map[string]bool // locations of kept operations in references: paths, and paths with a method
	queue              []string        // references in copied values that have not been followed yet
	met                map[*jsontree.Value]*jsontree.Value
	left               int // values that may still be copied
}

func (s *Spec) newFilter(most int, kept ...*Operation) *filter {
	f := &filter{spec: s, ids: map[string]bool{}, tags: map[string]bool{}, schemes: map[string]bool{},
		places: map[string]bool{}, met: map[*jsontree.Value]*jsontree.Value{}, left: most}
	for _, o := range kept {
		f.ids[o.ID] = o.ID != ""
		part, method := o.place()
		f.places[part+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(o.Path)+"/"+method] = true
		for _, t := range o.Tags {
			f.tags[t] = true
		}
		for _, name := range securityNames(o) {
			f.schemes[name] = true
		}
	}
	return f
}

// place returns the part of a description that contains the operation, and the operation's key below its path in that
// part.
func (o *Operation) place() (part, method string) {
	if o.Method == Webhook {
		return "webhooks", "post"
	}
	return "paths", strings.ToLower(o.Method)
}

// tagList copies the tags of kept operations.
func (f *filter) tagList(out *jsontree.Value) {
	list := &jsontree.Value{Kind: jsontree.List}
	for _, t := range items(f.spec.root.Get("tags")) {
		if f.tags[t.Get("name").Text()] {
			list.Items = append(list.Items, f.copy(t, 0))
		}
	}
	if len(list.Items) > 0 {
		out.Set(jsontree.Member{Key: "tags", Value: list})
	}
}

func (f *filter) operation(out *jsontree.Value, o *Operation) {
	part, method := o.place()
	item := child(child(out, part), o.Path)
	for _, key := range []string{"parameters", "servers"} {
		if shared := o.item.Get(key); shared != nil && item.Get(key) == nil {
			item.Set(jsontree.Member{Key: key, Value: f.copy(shared, 0)})
		}
	}
	item.Set(jsontree.Member{Key: method, Value: f.copy(o.raw, 0)})
}

// components copies the components that were referred to, directly or by other components, but no more than most of
// them.
func (f *filter) components(out *jsontree.Value, most int) {
	for _, name := range slices.Sorted(maps.Keys(f.schemes)) {
		f.queue = append(f.queue, "#/components/securitySchemes/"+name, "#/securityDefinitions/"+name)
	}
	done := map[string]bool{}
	for at := 0; at < len(f.queue) && f.left > 0 && len(done) < most; at++ {
		path, local := strings.CutPrefix(f.queue[at], "#/")
		if !local || done[path] {
			continue
		}
		done[path] = true
		keys := strings.Split(path, "/")
		v := f.spec.root
		for i, k := range keys {
			keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(k)
			v = v.Get(keys[i])
		}
		if v == nil || !component(keys) {
			continue
		}
		to := out
		for _, k := range keys[:len(keys)-1] {
			to = child(to, k)
		}
		to.Set(jsontree.Member{Key: keys[len(keys)-1], Value: f.copy(v, 0)})
	}
}

// child returns the object with a key. It adds the object if it is missing.
func child(v *jsontree.Value, key string) *jsontree.Value {
	next := v.Get(key)
	if next == nil {
		next = &jsontree.Value{Kind: jsontree.Object}
		v.Set(jsontree.Member{Key: key, Value: next})
	}
	return next
}

// copy returns a value without references to omitted operations and without settings for readers, and records the
// references in it. Values that exceed the limits become null.
func (f *filter) copy(v *jsontree.Value, depth int) *jsontree.Value {
	f.left--
	if v == nil || v.Kind < jsontree.List {
		return v
	}
	if depth > maxDepth || f.left <= 0 {
		return nil
	}
	if known := f.met[v]; known != nil {
		return known
	}
	out := &jsontree.Value{Kind: v.Kind}
	for _, item := range v.Items {
		if !f.isWithheld(item) {
			out.Items = append(out.Items, f.copy(item, depth+1))
		}
	}
	for _, m := range v.Members {
		switch {
		case m.Key == "x-mint", m.Key == "links" && f.leadsAway(m.Value), f.isWithheld(m.Value):
			continue
		case (m.Key == "$ref" || strings.HasPrefix(m.Value.Text(), "#/")) && m.Value.Is(jsontree.String): // also in a discriminator
			f.queue = append(f.queue, m.Value.Text())
		}
		out.Set(jsontree.Member{Key: m.Key, Value: f.copy(m.Value, depth+1)})
	}
	f.met[v] = out
	return out
}

// leadsAway reports whether one of a response's links leads to an operation that is not kept, or to one that cannot be
// determined. If so, all links are removed.
func (f *filter) leadsAway(links *jsontree.Value) bool {
	for _, m := range links.Members {
		if m.Value.Get("operationRef") != nil ||
			strings.HasPrefix(m.Value.Get("$ref").Text(), "#/components/links/") ||
			m.Value.Get("operationId") != nil && !f.ids[m.Value.Get("operationId").Text()] {
			return true
		}
	}
	return false
}

// isWithheld reports whether a value is, or refers to, something that is not kept: an operation with restricted readers
// in a callback or a shared path, or a part of an omitted operation.
func (f *filter) isWithheld(v *jsontree.Value) bool {
	if mint := v.Get("x-mint"); mint != nil && restricted(mint) {
		return true
	}
	place, local := strings.CutPrefix(v.Get("$ref").Text(), "#/")
	if !local || !strings.HasPrefix(place, "paths/") && !strings.HasPrefix(place, "webhooks/") {
		return false
	}
	keys := strings.SplitN(place, "/", 4)
	return len(keys) < 3 || !f.places[strings.Join(keys[:3], "/")]
}

// restricted reports whether the x-mint extension restricts who may see an operation.
func restricted(mint *jsontree.Value) bool {
	return len(Readers(mint.Get("groups"))) > 0 || len(Readers(mint.Get("metadata").Get("groups"))) > 0
}
