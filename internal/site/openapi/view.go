package openapi

import "github.com/lectern-docs/lectern/internal/foundation/jsontree"

const (
	viewMax  = 1600 // schemas on one page, without the first level of each root
	firstMax = 8000 // schemas on one page, with the first levels
	rootMax  = 700  // schemas below one root, so that one huge root does not use up the budget of the page
	depthMax = 12

	optionMax = 100 // alternatives of one schema

	partMax = 5000 // parameters, responses, media types, headers and examples on one page; references can multiply them
)

// views creates the schemas of one page. It works breadth first, so that its limits cut off the deepest parts rather
// than the last ones.
type views struct {
	spec  *Spec
	left  int
	parts int                       // parts that may still be added
	memo  map[*jsontree.Value]*flat // merged components, keyed by the target of a plain reference
}

func newViews(s *Spec) *views {
	return &views{spec: s, left: viewMax, parts: partMax, memo: map[*jsontree.Value]*flat{}}
}

// part counts one part of the page. It returns false if the page has too many.
func (vs *views) part() bool {
	vs.parts--
	return vs.parts >= 0
}

// task is a schema that is waiting in the queue.
type task struct {
	raw   *jsontree.Value
	out   *Schema
	depth int
	above *frame
}

// frame is one link in the chain of references that leads to a position.
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

// schema creates the view of raw. If raw is nil, any value is allowed.
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

// merged returns the flat form of raw. A component that many places refer to is merged only once.
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

// children creates the schemas one level below and adds them to the queue.
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

// tagged returns the discriminator value that selects an option.
func tagged(mapping, option *jsontree.Value) string {
	ref := option.Get("$ref").Text()
	for _, m := range members(mapping) {
		if to := m.Value.Text(); ref != "" && (to == ref || to == refName(option)) {
			return m.Key
		}
	}
	return ""
}
