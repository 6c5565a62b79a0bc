package openapi

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lectern-docs/lectern/internal/diag"
)

// yamlReader turns the library's tree into Values. An anchor is converted once, and its aliases share the Value: a few bytes of aliases
// can name gigabytes only for those who copy them.
type yamlReader struct {
	doc   *document
	done  map[*yaml.Node]*Value // anchored nodes; nil while one is being converted
	count int
	fault string
	at    *yaml.Node
}

// parseYAML returns nil and a finding when src is not YAML. Of several documents the first holds.
func parseYAML(doc *document, src []byte) (v *Value, bad diag.Diagnostic) {
	bad = diag.Diagnostic{File: doc.name, Line: 1, Column: 1}
	defer func() {
		if recover() != nil { // a library's mistake must not stop a build
			v, bad.Message = nil, "The YAML cannot be read."
		}
	}()
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		bad.Line, bad.Message = yamlError(err)
		return nil, bad
	}
	r := &yamlReader{doc: doc, done: map[*yaml.Node]*Value{}}
	v = r.value(&root, 0)
	if r.fault != "" {
		return nil, diag.Diagnostic{File: doc.name, Line: r.at.Line, Column: r.at.Column, Message: r.fault}
	}
	return v, diag.Diagnostic{}
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

func (r *yamlReader) fail(n *yaml.Node, text string) *Value {
	if r.fault == "" {
		r.fault, r.at = text, n
	}
	return &Value{doc: r.doc}
}

func (r *yamlReader) value(n *yaml.Node, depth int) *Value {
	if r.count++; r.count > maxValues || depth > maxDepth {
		return r.fail(n, "The description is nested too deep or has too many values.")
	}
	if r.fault != "" {
		return &Value{doc: r.doc}
	}
	v := &Value{Line: int32(n.Line), Column: int32(n.Column), doc: r.doc}
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
		v.Kind = List
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

func (r *yamlReader) alias(n *yaml.Node) *Value {
	if v := r.done[n.Alias]; v != nil {
		return v
	}
	return r.fail(n, "The alias *"+n.Value+" names something that contains it.")
}

// mapping reads the pairs. "<<" adds the keys of another mapping that are not written here.
func (r *yamlReader) mapping(v *Value, n *yaml.Node, depth int) {
	v.Kind = Object
	var merged []*Value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], r.value(n.Content[i+1], depth+1)
		if key.Tag == "!!merge" {
			merged = append(merged, val)
			continue
		}
		v.Members = append(v.Members, Member{key.Value, val})
	}
	v.finish()
	for _, m := range merged {
		r.merge(v, m, n)
	}
}

func (r *yamlReader) merge(v, from *Value, n *yaml.Node) {
	parts := []*Value{from}
	if from.Kind == List {
		parts = from.Items
	}
	for _, p := range parts {
		for _, m := range p.Members {
			if r.count++; r.count > maxValues {
				r.fail(n, "Merged keys make the description too large.")
				return
			}
			if v.Get(m.Key) == nil {
				v.Members = append(v.Members, m)
			}
		}
		v.index = nil
		v.finish()
	}
}

func scalar(v *Value, n *yaml.Node) {
	v.Kind, v.Str = String, n.Value
	switch n.Tag {
	case "!!null":
		v.Kind, v.Str = Null, ""
	case "!!bool":
		v.Kind, v.Str = Bool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		v.Kind = Number
		if f, err := strconv.ParseFloat(n.Value, 64); err != nil || f-f != 0 || strings.ContainsAny(n.Value, "xXoO_+iInN") {
			var any float64
			if n.Decode(&any) != nil || any-any != 0 { // not a number, infinite: JSON has neither
				v.Kind = String
				return
			}
			v.Str = strconv.FormatFloat(any, 'g', -1, 64)
		}
	}
}
