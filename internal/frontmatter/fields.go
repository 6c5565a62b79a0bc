package frontmatter

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/lectern-docs/lectern/internal/diag"
)

// Fields are the front matter keys that the platform reads; all others are the author's own.
type Fields struct {
	Title, SidebarTitle, Description string
	Icon, Tag, Mode, URL             string
	Canonical, Robots                string
	Keywords                         []string
	OpenAPI, OpenAPISchema, AsyncAPI string   // what the page shows of an API description, as written
	API, AuthMethod, Playground      string   // a page that describes an operation itself
	APIPos                           diag.Pos // of the last of these keys
	Hidden, NoIndex, Deprecated      bool
	HideFooterPagination             bool
	Meta                             []Pair // og:*, twitter:* and their like, in the order written
}

// Pair is one named value.
type Pair struct{ Name, Value string }

// fence is how many lines stand before the YAML: positions inside it are moved down by that.
const fence = 1

func parseFields(file string, head []byte) (f Fields, list diag.List) {
	defer func() {
		// The YAML library has panicked on malformed input before; one page's front matter must not stop a build.
		if r := recover(); r != nil {
			list.Errorf(diag.Pos{File: file, Line: 2, Column: 1}, "front-matter-syntax", "The front matter is not valid YAML.")
		}
	}()
	doc, err := parser.ParseBytes(head, 0)
	if err != nil {
		list.Errorf(errorPos(file, err), "front-matter-syntax", "The front matter is not valid YAML: %s.", errorText(err))
		list.Hint("Put quotes around a value that holds a colon, a # or a quotation mark.")
		return f, list
	}
	for _, d := range doc.Docs {
		list = append(list, f.readDocument(file, d.Body)...)
	}
	return f, list
}

func (f *Fields) readDocument(file string, body ast.Node) (list diag.List) {
	switch n := body.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
	case *ast.MappingNode:
		for _, kv := range n.Values {
			f.readPair(file, kv, &list)
		}
	case *ast.MappingValueNode:
		f.readPair(file, n, &list)
	default:
		list.Warnf(nodePos(file, body), "front-matter-shape", "The front matter is no list of key: value pairs and is ignored.")
	}
	return list
}

func (f *Fields) readPair(file string, kv *ast.MappingValueNode, list *diag.List) {
	if kv.Key == nil || kv.Key.GetToken() == nil {
		return
	}
	key := kv.Key.GetToken().Value
	switch key {
	case "openapi", "openapi-schema", "asyncapi", "api":
		f.APIPos = nodePos(file, kv.Value)
	}
	if text := f.text(key); text != nil {
		f.setText(file, key, text, kv.Value, list)
		return
	}
	if flag := f.flag(key); flag != nil {
		f.setFlag(file, key, flag, kv.Value, list)
		return
	}
	if key == "keywords" {
		f.Keywords = words(kv.Value)
		return
	}
	if value, ok := scalar(kv.Value); ok && isMeta(key) {
		f.Meta = append(f.Meta, Pair{key, value})
	}
}

func (f *Fields) text(key string) *string {
	switch key {
	case "title":
		return &f.Title
	case "sidebarTitle":
		return &f.SidebarTitle
	case "description":
		return &f.Description
	case "icon":
		return &f.Icon
	case "tag":
		return &f.Tag
	case "mode":
		return &f.Mode
	case "url":
		return &f.URL
	case "canonical":
		return &f.Canonical
	case "robots":
		return &f.Robots
	case "openapi":
		return &f.OpenAPI
	case "openapi-schema":
		return &f.OpenAPISchema
	case "asyncapi":
		return &f.AsyncAPI
	case "api":
		return &f.API
	case "authMethod":
		return &f.AuthMethod
	case "playground":
		return &f.Playground
	}
	return nil
}

func (f *Fields) flag(key string) *bool {
	switch key {
	case "hidden":
		return &f.Hidden
	case "noindex":
		return &f.NoIndex
	case "deprecated":
		return &f.Deprecated
	case "hideFooterPagination":
		return &f.HideFooterPagination
	}
	return nil
}

func (f *Fields) setText(file, key string, to *string, value ast.Node, list *diag.List) {
	s, ok := scalar(value)
	if !ok {
		list.Warnf(nodePos(file, value), "front-matter-type", "The value of %q must be text.", key)
		return
	}
	*to = strings.Join(strings.Fields(s), " ") // one line: the text goes into titles, attributes and lists
}

func (f *Fields) setFlag(file, key string, to *bool, value ast.Node, list *diag.List) {
	s, ok := scalar(value)
	switch {
	case ok && (s == "true" || s == "True" || s == "TRUE"):
		*to = true
	case ok && (s == "" || strings.EqualFold(s, "false")):
		*to = false
	default:
		list.Warnf(nodePos(file, value), "front-matter-type", "The value of %q must be true or false.", key)
	}
}

func isMeta(key string) bool {
	return strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:") || strings.HasPrefix(key, "article:")
}

func words(n ast.Node) (out []string) {
	if seq, ok := n.(*ast.SequenceNode); ok {
		for _, v := range seq.Values {
			if s, ok := scalar(v); ok && s != "" {
				out = append(out, s)
			}
		}
		return out
	}
	if s, ok := scalar(n); ok {
		for w := range strings.SplitSeq(s, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
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
