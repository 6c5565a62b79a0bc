package openapi

import "github.com/lectern-docs/lectern/internal/foundation/jsontree"

// Graph is a set of schemas that refer to each other by number, for generated forms. Unlike the tree of a Schema, it
// can represent recursive descriptions completely, because a number may refer to an earlier schema. It is not safe for
// concurrent use.
type Graph struct {
	Nodes []Node

	vs  *views
	max int
	at  map[spot]int
	raw []*jsontree.Value // source of each node
	cut int               // the node that stands for everything beyond the limit; -1 = none yet
}

// Node is a schema with the numbers of the schemas below it.
type Node struct {
	Schema     *Schema // without children
	Properties []NodeProperty
	Additional int // -1 = none
	Items      int // -1 = none
	Options    []int
}

// NodeProperty is a member of an object.
type NodeProperty struct {
	Name     string
	Node     int
	Required bool
}

// spot identifies a node. A schema has several nodes if a discriminator has several values for it.
type spot struct {
	raw *jsontree.Value
	tag string
}

// NewGraph returns a graph with no more than most schemas, plus one that stands for the rest. spec resolves references;
// it may be nil.
func NewGraph(spec *Spec, most int) *Graph {
	if spec == nil {
		spec = &Spec{}
	}
	return &Graph{vs: newViews(spec), max: most, at: map[spot]int{}, cut: -1}
}

// SchemaOf returns the reader's view of raw, which is a JSON schema from a source other than an API description.
func SchemaOf(raw *jsontree.Value) *Schema { return newViews(&Spec{}).schema(raw) }

// Add adds a schema of the description to the graph and returns its number. Fill adds the schemas below it. If a caller
// adds all roots first, the limit cuts off the deepest parts, but never a root.
func (g *Graph) Add(s *Schema) int { return g.number(s.raw, "") }

func (g *Graph) number(raw *jsontree.Value, tag string) int {
	key := spot{raw, tag}
	if raw != nil && len(raw.Members) == 1 && raw.Members[0].Key == "$ref" {
		if target := g.vs.spec.target(raw); target != nil {
			key.raw = target
		}
	}
	if n, ok := g.at[key]; ok {
		return n
	}
	if len(g.Nodes) >= g.max {
		if g.cut < 0 {
			g.cut = g.append(nil, "")
		}
		return g.cut
	}
	n := g.append(raw, tag)
	g.at[key] = n
	return n
}

func (g *Graph) append(raw *jsontree.Value, tag string) int {
	g.Nodes = append(g.Nodes, Node{Schema: &Schema{Tagged: tag}, Additional: -1, Items: -1})
	g.raw = append(g.raw, raw)
	return len(g.Nodes) - 1
}

// Fill reads all schemas, breadth first.
func (g *Graph) Fill() {
	for n := 0; n < len(g.Nodes); n++ {
		f := g.vs.merged(g.raw[n])
		node := Node{Schema: g.Nodes[n].Schema, Additional: -1, Items: -1}
		node.Schema.take(f)
		g.below(&node, f, g.raw[n])
		g.Nodes[n] = node
	}
}

func (g *Graph) below(node *Node, f *flat, raw *jsontree.Value) {
	if len(node.Schema.More) > 0 && len(f.options) == 0 {
		for _, kind := range append([]string{node.Schema.Base}, node.Schema.More...) {
			node.Options = append(node.Options, g.number(ofType(raw, kind), ""))
		}
		return
	}
	for _, m := range f.props {
		node.Properties = append(node.Properties, NodeProperty{m.Key, g.number(m.Value, ""), f.required[m.Key]})
	}
	if a := f.keys["additionalProperties"]; a.Is(jsontree.Object) || a.True() {
		node.Additional = g.number(a, "")
	} else if patterns := members(f.keys["patternProperties"]); len(patterns) > 0 {
		node.Additional = g.number(patterns[0].Value, "")
	}
	if items := f.itemsOf(); items != nil {
		node.Items = g.number(items, "")
	}
	mapping := f.keys["discriminator"].Get("mapping")
	for _, o := range f.options[:min(len(f.options), optionMax)] {
		tag := tagged(mapping, o)
		if tag == "" && node.Schema.Discriminator != "" {
			tag = refName(o) // the default if the description has no mapping
		}
		node.Options = append(node.Options, g.number(o, tag))
	}
}

// ofType returns a copy of a schema with several types that keeps only one of them.
func ofType(raw *jsontree.Value, kind string) *jsontree.Value {
	out := jsontree.NewObject(pair("type", jsontree.NewString(kind)))
	for _, m := range raw.Members {
		if m.Key != "type" {
			out.Set(m)
		}
	}
	out.Doc = raw.Doc
	return out
}
