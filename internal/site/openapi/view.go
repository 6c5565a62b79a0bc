package openapi

import "github.com/lectern-docs/lectern/internal/foundation/jsontree"

const (
	viewMax  = 1600 // schemas on one page; the first level of each root comes on top
	firstMax = 8000 // schemas on one page with those
	rootMax  = 700  // schemas below one root: a giant must not take the whole page
	depthMax = 12

	optionMax = 100 // alternatives of one schema

	partMax = 5000 // parameters, responses, media types, headers and examples on one page: references can multiply them
)

// views makes the schemas of one page. It goes breadth first, so that its limits cut the deepest parts and not the last
// ones.
type views struct {
	spec  *Spec
	left  int
	parts int                       // that may still be added
	memo  map[*jsontree.Value]*flat // merged components by what a plain reference leads to
}

func newViews(s *Spec) *views {
	return &views{spec: s, left: viewMax, parts: partMax, memo: map[*jsontree.Value]*flat{}}
}

// part counts a part of the page; false when there are too many.
func (vs *views) part() bool {
	vs.parts--
	return vs.parts >= 0
}

// task is a schema that waits for its turn.
type task struct {
	raw   *jsontree.Value
	out   *Schema
	depth int
	above *frame
}

// frame is a chain of the references that lead to a place.
type frame struct {
	target *jsontree.Value
	up     *frame
}

func (f *frame) has(v *jsontree.Value) bool {
	for ; f != nil; f = f.up {
		if f.target == v {
			return true
		}
	}
	return false
}

// schema makes the view of raw, which may be nil: anything goes then.
func (vs *views) schema(raw *jsontree.Value) *Schema {
	root := &Schema{}
	queue := []task{{raw: raw, out: root, above: &frame{target: raw}}}
	vs.left--
	budget := min(rootMax, max(0, vs.left))
	for at := 0; at < len(queue); at++ {
		t := queue[at]
		queue[at] = task{}
		f := vs.merged(t.raw)
		t.out.take(f)
		t.out.raw = t.raw
		for _, target := range f.refs {
			t.out.Recursive = t.out.Recursive || t.above.has(target)
		}
		if t.out.Recursive {
			continue
		}
		for _, target := range f.refs {
			t.above = &frame{target, t.above}
		}
		n := f.count()
		if t.depth >= depthMax || len(queue)+n > budget && (t.depth > 0 || vs.left < viewMax-firstMax) {
			t.out.Cut = n > 0
			continue
		}
		queue = vs.children(t, f, queue)
	}
	vs.left -= len(queue) - 1
	return root
}

// merged returns the flat form of raw. Components that many places refer to are merged once.
func (vs *views) merged(raw *jsontree.Value) *flat {
	var key *jsontree.Value
	if raw != nil && len(raw.Members) == 1 && raw.Members[0].Key == "$ref" {
		key = vs.spec.lookup(raw.Members[0].Value)
		if f := vs.memo[key]; key != nil && f != nil && f.name == refName(raw) {
			return f
		}
	}
	f := newFlat()
	vs.flatten(raw, f, 0)
	if key != nil {
		vs.memo[key] = f
	}
	return f
}

// children makes the schemas one level down and puts them into the queue.
func (vs *views) children(t task, f *flat, queue []task) []task {
	add := func(raw *jsontree.Value) *Schema {
		s := &Schema{}
		queue = append(queue, task{raw, s, t.depth + 1, t.above})
		return s
	}
	for _, m := range f.props {
		if len(t.out.Properties) >= rootMax {
			t.out.Cut = true
			break
		}
		t.out.Properties = append(t.out.Properties,
			Property{Name: m.Key, Required: f.required[m.Key], Schema: add(m.Value)})
	}
	for _, m := range members(f.keys["patternProperties"]) {
		if len(t.out.Properties) < rootMax {
			t.out.Properties = append(t.out.Properties, Property{Name: m.Key, Pattern: true, Schema: add(m.Value)})
		}
	}
	if a := f.keys["additionalProperties"]; a.Is(jsontree.Object) || a.True() {
		t.out.Additional = add(a)
	}
	if items := f.itemsOf(); items != nil {
		t.out.Items = add(items)
	}
	mapping := f.keys["discriminator"].Get("mapping")
	for _, o := range f.options {
		if len(t.out.Options) >= optionMax {
			t.out.Cut = true
			break
		}
		s := add(o)
		s.Tagged = tagged(mapping, o)
		t.out.Options = append(t.out.Options, s)
	}
	return queue
}

// tagged returns the value of the discriminator that leads to an option.
func tagged(mapping, option *jsontree.Value) string {
	ref := option.Get("$ref").Text()
	for _, m := range members(mapping) {
		if to := m.Value.Text(); ref != "" && (to == ref || to == refName(option)) {
			return m.Key
		}
	}
	return ""
}
