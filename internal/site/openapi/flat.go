package openapi

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// flat is a schema with its references followed and its allOf merged.
type flat struct {
	name     string
	keys     map[string]*jsontree.Value // the outermost value of each key
	props    []jsontree.Member          // innermost first; the outermost property of each name
	at       map[string]int
	required map[string]bool
	options  []*jsontree.Value
	anyOf    bool // the options come from anyOf, so a value may match several of them
	nullable bool
	missing  bool
	refs     []*jsontree.Value // targets of references
	steps    int
}

func newFlat() *flat {
	return &flat{keys: map[string]*jsontree.Value{}, at: map[string]int{}, required: map[string]bool{}}
}

const (
	stepMax = 300  // number of schema parts in one merge
	keyMax  = 5000 // keys of one merged schema, and names that the schema requires
)

// flatten adds raw to f. It does not add the same part twice, so merging takes linear time.
func (vs *views) flatten(raw *jsontree.Value, f *flat, depth int) {
	if f.steps++; raw == nil || raw.Kind != jsontree.Object || f.steps > stepMax || depth > maxHops {
		return
	}
	for _, m := range raw.Members {
		if len(f.keys) > keyMax {
			break
		}
		if f.keys[m.Key] == nil && m.Key != "allOf" && m.Key != "$ref" {
			f.keys[m.Key] = m.Value
		}
	}
	f.nullable = f.nullable || raw.Get("nullable").True() || raw.Get("x-nullable").True()
	if ref := raw.Get("$ref"); ref.Is(jsontree.String) {
		vs.follow(raw, ref, f, depth)
	}
	for _, part := range items(raw.Get("allOf")) {
		vs.flatten(part, f, depth+1)
	}
	for _, m := range members(raw.Get("properties")) {
		if len(f.props) > rootMax { // pages do not show more than this
			break
		}
		f.property(m)
	}
	for _, name := range items(raw.Get("required")) {
		if len(f.required) > keyMax {
			break
		}
		f.required[name.Text()] = true
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		before := len(f.options)
		vs.alternatives(raw.Get(key), f, depth)
		f.anyOf = f.anyOf || key == "anyOf" && len(f.options) > before
	}
}

func (vs *views) follow(raw, ref *jsontree.Value, f *flat, depth int) {
	if f.name == "" {
		f.name = refName(raw)
	}
	target := vs.spec.lookup(ref)
	if target == nil {
		f.missing = true
		return
	}
	if slices.Contains(f.refs, target) {
		return
	}
	f.refs = append(f.refs, target)
	vs.flatten(target, f, depth+1)
}

func (f *flat) property(m jsontree.Member) {
	if i, ok := f.at[m.Key]; ok {
		f.props[i] = m
		return
	}
	f.at[m.Key] = len(f.props)
	f.props = append(f.props, m)
}

// alternatives interprets oneOf and anyOf for readers: "or null" becomes a flag, a single alternative is merged into
// the schema, and lists of required keys are not treated as types.
func (vs *views) alternatives(list *jsontree.Value, f *flat, depth int) {
	var real []*jsontree.Value
	for _, o := range items(list) {
		if t := o.Get("type"); t.Text() == "null" || o.Get("const").Is(jsontree.Null) ||
			len(items(o.Get("enum"))) == 1 && o.Get("enum").Items[0].Kind == jsontree.Null {
			f.nullable = true
			continue
		}
		if describes(o) {
			real = append(real, o)
		}
	}
	if len(real) == 1 {
		vs.flatten(real[0], f, depth+1)
		return
	}
	f.options = append(f.options, real...)
}

func describes(o *jsontree.Value) bool {
	for _, m := range members(o) {
		switch m.Key {
		case "required", "not", "description":
		default:
			return true
		}
	}
	return false
}

// count returns the number of schemas directly below this one.
func (f *flat) count() int {
	n := len(f.props) + len(f.options) + len(members(f.keys["patternProperties"]))
	if f.itemsOf() != nil {
		n++
	}
	if f.keys["additionalProperties"].Is(jsontree.Object) {
		n++
	}
	return n
}

// itemsOf returns the schema of an array's items. Tuples become alternatives.
func (f *flat) itemsOf() *jsontree.Value {
	for _, key := range []string{"prefixItems", "items"} {
		switch v := f.keys[key]; {
		case v.Is(jsontree.List):
			return jsontree.NewObject(jsontree.Member{Key: "anyOf", Value: v})
		case v.Is(jsontree.Object):
			return v
		}
	}
	return nil
}

// take sets all fields of the view except the children.
func (s *Schema) take(f *flat) {
	k := f.keys
	s.keys, s.Name, s.Missing, s.AnyOf = k, f.name, f.missing, f.anyOf
	s.Title, s.Description = oneLine(k["title"].Text()), k["description"].Text()
	s.Format, s.Pattern = k["format"].Text(), k["pattern"].Text()
	s.Nullable = f.nullable
	s.types(k["type"].Texts(), f)
	s.Deprecated, s.ReadOnly, s.WriteOnly = k["deprecated"].True(), k["readOnly"].True(), k["writeOnly"].True()
	s.Const, s.Default, s.Example = k["const"], k["default"], k["example"]
	if s.Example == nil {
		if list := items(k["examples"]); len(list) > 0 {
			s.Example = list[0]
		}
	}
	if s.Default == nil {
		s.Default = k["x-default"]
	}
	s.Discriminator = k["discriminator"].Get("propertyName").Text()
	if d := k["discriminator"]; d.Is(jsontree.String) { // Swagger 2.0
		s.Discriminator = d.Str
	}
	s.enum(k)
	s.Limits = limits(k)
	s.Pre, s.Post = k["x-mint"].Get("pre").Texts(), k["x-mint"].Get("post").Texts()
}

func (s *Schema) types(list []string, f *flat) {
	for _, t := range list {
		switch {
		case t == "null":
			s.Nullable = true
		case s.Base == "":
			s.Base = t
		default:
			s.More = append(s.More, t)
		}
	}
	switch {
	case s.Base != "":
	case len(list) > 0:
		s.Base, s.Nullable = "null", false
	case len(f.props) > 0:
		s.Base = "object"
	case f.itemsOf() != nil:
		s.Base = "array"
	}
}

// enumMax limits the number of allowed values to keep.
const enumMax = 500

func (s *Schema) enum(k map[string]*jsontree.Value) {
	notes := k["x-mint-enum"]
	if notes == nil {
		notes = k["x-enumDescriptions"]
	}
	for _, v := range items(k["enum"]) {
		if v.Kind == jsontree.Null {
			s.Nullable = true
			continue
		}
		if len(s.Enum) < enumMax {
			s.Enum = append(s.Enum, Enum{v, oneLine(notes.Get(v.Text()).Text())})
		}
	}
	if s.Base == "" && len(s.Enum) > 0 && s.Enum[0].Value.Kind == jsontree.String {
		s.Base = "string"
	}
}
