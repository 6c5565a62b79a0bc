package frontmatter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/nearest"
)

// This file reads YAML's values.

// fence is how many lines stand before the YAML: positions inside it are moved down by that.
const fence = 1

// word reads one of a few words. Another one is told and dropped.
func word(to *string, allowed []string) read {
	return func(r *reader, key string, value ast.Node) {
		var got string
		text(&got)(r, key, value)
		if got == "" || slices.Contains(allowed, got) {
			*to = got
			return
		}
		r.list.Warnf(nodePos(r.file, value), "front-matter-value",
			"The value of %q must be one of %s, not %q.", key, strings.Join(allowed, ", "), got)
		if near := nearest.Word(got, slices.Values(allowed)); near != "" {
			r.list.Hint("Did you mean " + strconv.Quote(near) + "?")
		}
	}
}

// tree takes a value as it stands, for a room that knows its shape.
func tree(to **jsontree.Value) read {
	return func(r *reader, _ string, value ast.Node) {
		*to = convert(value, &jsontree.Document{Name: r.file}, 0)
	}
}

// maxTree bounds the nesting of such a value.
const maxTree = 10

// convert makes a tree of plain values; what is none, such as an alias, is null.
func convert(n ast.Node, doc *jsontree.Document, depth int) *jsontree.Value {
	pos := nodePos(doc.Name, n)
	v := &jsontree.Value{Doc: doc, Line: int32(pos.Line), Column: int32(pos.Column)}
	if depth > maxTree {
		return v
	}
	member := func(kv *ast.MappingValueNode) {
		if kv.Key != nil && kv.Key.GetToken() != nil {
			at := nodePos(doc.Name, kv.Key)
			value := convert(kv.Value, doc, depth+1)
			v.Set(jsontree.Member{Key: kv.Key.GetToken().Value, Value: value, Line: int32(at.Line), Column: int32(at.Column)})
		}
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		v.Kind = jsontree.List
		for _, item := range n.Values {
			v.Items = append(v.Items, convert(item, doc, depth+1))
		}
	case *ast.MappingNode:
		v.Kind = jsontree.Object
		for _, kv := range n.Values {
			member(kv)
		}
	case *ast.MappingValueNode:
		v.Kind = jsontree.Object
		member(n)
	case *ast.BoolNode:
		v.Kind, v.Str = jsontree.Bool, strconv.FormatBool(n.Value)
	case *ast.IntegerNode, *ast.FloatNode:
		v.Kind, v.Str = jsontree.Number, n.GetToken().Value
	case *ast.StringNode:
		v.Kind, v.Str = jsontree.String, strings.Clone(n.Value)
	case *ast.LiteralNode:
		v.Kind, v.Str = jsontree.String, strings.Clone(n.Value.Value)
	}
	return v
}

// near tells when a key is probably a misspelt one. Any other key is the author's own.
func (r *reader) near(key string, pos diag.Pos) {
	limit := 2 // edits; words that are nearer than that by chance are short
	if len(key) < 8 {
		limit = 1
	}
	best, least := "", limit+1
	for _, k := range r.keys {
		d := nearest.Distance(strings.ToLower(key), strings.ToLower(k.name), limit+1)
		if k.read != nil && d < least && (d == 0 || len(key) > 3) {
			best, least = k.name, d
		}
	}
	if best == "" || key == best+"s" { // "tags", "icons": lists of the author's own
		return
	}
	r.list.Warnf(pos, "front-matter-key", "%q is no key that the platform reads.", key)
	r.list.Hint("Did you mean " + strconv.Quote(best) + "?")
}

func isMeta(key string) bool {
	return strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:") || strings.HasPrefix(key, "article:")
}

func wordList(n ast.Node) (out []string, ok bool) {
	if seq, is := n.(*ast.SequenceNode); is {
		for _, v := range seq.Values {
			if s, ok := scalar(v); ok && s != "" {
				out = append(out, s)
			}
		}
		return out, true
	}
	s, ok := scalar(n)
	if _, is := n.(*ast.BoolNode); is {
		return nil, s == "false"
	}
	if ok {
		for w := range strings.SplitSeq(s, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out, ok
}

// scalar is the text of a plain value. Aliases, anchors, tags, lists and mappings are no plain values.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case nil, *ast.NullNode:
		return "", true
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func errorText(err error) string {
	var e yaml.Error
	if errors.As(err, &e) {
		return strings.TrimSuffix(e.GetMessage(), ".")
	}
	return fmt.Sprint(err)
}

func errorPos(file string, err error) diag.Pos {
	var e yaml.Error
	if errors.As(err, &e) {
		return tokenPos(file, e.GetToken())
	}
	return diag.Pos{File: file, Line: 1 + fence, Column: 1}
}

func nodePos(file string, n ast.Node) diag.Pos {
	if n == nil {
		return diag.Pos{File: file, Line: 1 + fence, Column: 1}
	}
	return tokenPos(file, n.GetToken())
}

func tokenPos(file string, t *token.Token) diag.Pos {
	if t == nil || t.Position == nil {
		return diag.Pos{File: file, Line: 1 + fence, Column: 1}
	}
	return diag.Pos{File: file, Line: max(1, t.Position.Line) + fence, Column: max(1, t.Position.Column)}
}
