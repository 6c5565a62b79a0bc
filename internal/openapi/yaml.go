package openapi

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/jsontree"
)

// yamlReader turns the library's tree into Values. An anchor is converted once, and its aliases share the Value: a few bytes of aliases
// can name gigabytes only for those who copy them.
type yamlReader struct {
	doc   *jsontree.Document
	done  map[*yaml.Node]*jsontree.Value // anchored nodes; nil while one is being converted
	count int
	bad   *jsontree.SyntaxError // nil = none yet
}

// parseYAML returns a *jsontree.SyntaxError when src is not YAML. Of several documents the first holds.
func parseYAML(name string, src []byte) (doc *jsontree.Document, err error) {
	defer func() {
		if recover() != nil { // a library's mistake must not stop a build
			doc, err = nil, &jsontree.SyntaxError{Pos: diag.Pos{File: name, Line: 1, Column: 1}, Message: "The YAML cannot be read."}
		}
	}()
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		line, text := yamlError(err)
		return nil, &jsontree.SyntaxError{Pos: diag.Pos{File: name, Line: line, Column: 1}, Message: text}
	}
	r := &yamlReader{doc: &jsontree.Document{Name: name}, done: map[*yaml.Node]*jsontree.Value{}}
	r.doc.Root = r.value(&root, 0)
	if r.bad != nil {
		return nil, r.bad
	}
	return r.doc, nil
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

func yamlError(err error) (line int, text string) {
	text = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits by the expression; too many give 0, "unknown"
		text = m[2]
	}
	return line, "This is not valid YAML: " + text + "."
}

func (r *yamlReader) fail(n *yaml.Node, text string) *jsontree.Value {
	if r.bad == nil {
		r.bad = &jsontree.SyntaxError{Pos: diag.Pos{File: r.doc.Name, Line: n.Line, Column: n.Column}, Message: text}
	}
	return &jsontree.Value{Doc: r.doc}
}

func (r *yamlReader) value(n *yaml.Node, depth int) *jsontree.Value {
	if r.count++; r.count > maxValues || depth > maxDepth {
		return r.fail(n, "The description is nested too deep or has too many values.")
	}
	if r.bad != nil {
		return &jsontree.Value{Doc: r.doc}
	}
	v := &jsontree.Value{Line: int32(n.Line), Column: int32(n.Column), Doc: r.doc}
	if n.Anchor != "" {
		r.done[n] = nil
		defer func() { r.done[n] = v }()
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) > 0 {
			return r.value(n.Content[0], depth)
		}
	case yaml.AliasNode:
		return r.alias(n)
	case yaml.SequenceNode:
		v.Kind = jsontree.List
		for _, c := range n.Content {
			v.Items = append(v.Items, r.value(c, depth+1))
		}
	case yaml.MappingNode:
		r.mapping(v, n, depth)
	case yaml.ScalarNode:
		scalar(v, n)
	}
	return v
}

func (r *yamlReader) alias(n *yaml.Node) *jsontree.Value {
	if v := r.done[n.Alias]; v != nil {
		return v
	}
	return r.fail(n, "The alias *"+n.Value+" names something that contains it.")
}

// mapping reads the pairs. "<<" adds the keys of another mapping that are not written here.
func (r *yamlReader) mapping(v *jsontree.Value, n *yaml.Node, depth int) {
	v.Kind = jsontree.Object
	var merged []*jsontree.Value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], r.value(n.Content[i+1], depth+1)
		if key.Tag == "!!merge" {
			merged = append(merged, val)
			continue
		}
		v.Set(jsontree.Member{Key: key.Value, Value: val, Line: int32(key.Line), Column: int32(key.Column)})
	}
	for _, m := range merged {
		r.merge(v, m, n)
	}
}

func (r *yamlReader) merge(v, from *jsontree.Value, n *yaml.Node) {
	parts := []*jsontree.Value{from}
	if from.Kind == jsontree.List {
		parts = from.Items
	}
	for _, p := range parts {
		for _, m := range p.Members {
			if r.count++; r.count > maxValues {
				r.fail(n, "Merged keys make the description too large.")
				return
			}
			if v.Get(m.Key) == nil {
				v.Set(m)
			}
		}
	}
}

func scalar(v *jsontree.Value, n *yaml.Node) {
	v.Kind, v.Str = jsontree.String, n.Value
	switch n.Tag {
	case "!!null":
		v.Kind, v.Str = jsontree.Null, ""
	case "!!bool":
		v.Kind, v.Str = jsontree.Bool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		v.Kind = jsontree.Number
		if f, err := strconv.ParseFloat(n.Value, 64); err != nil || f-f != 0 || strings.ContainsAny(n.Value, "xXoO_+iInN") {
			var any float64
			if n.Decode(&any) != nil || any-any != 0 { // not a number, infinite: JSON has neither
				v.Kind = jsontree.String
				return
			}
			v.Str = strconv.FormatFloat(any, 'g', -1, 64)
		}
	}
}
