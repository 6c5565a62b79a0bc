package expand

import (
	"encoding/json"
	"slices"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsbuild"
)

// islands collects the components of one page that also run in the browser.
type islands struct {
	order  []*code         // in order of first use
	thunks map[*code][]int // thunks that the browser needs
}

// add returns the island for a call that returned nodes. slots is the expanded content that was passed to the
// component.
func (i *islands) add(at ast.Span, c call, nodes []ast.Node, slots [][]ast.Node) *ast.Island {
	if i.thunks == nil {
		i.thunks = map[*code][]int{}
	}
	if _, ok := i.thunks[c.code]; !ok {
		i.order = append(i.order, c.code)
	}
	i.thunks[c.code] = append(i.thunks[c.code], c.thunk)
	props, err := json.Marshal(toJSON(c.props))
	if err != nil {
		props = []byte("{}")
	}
	return &ast.Island{
		Span:     at,
		Children: nodes,
		Unit:     c.code.src.File,
		Thunk:    c.thunk,
		Props:    string(props),
		Slots:    slots,
	}
}

// compile returns the code that the islands need in the browser.
func (i *islands) compile(builder *jsbuild.Builder) (out []Client) {
	for _, c := range i.order {
		slices.Sort(i.thunks[c])
		script := builder.Client(c.src, slices.Compact(i.thunks[c]))
		out = append(out, Client{Unit: c.src.File, Script: script})
	}
	return out
}

// toJSON converts a value for encoding/json. Values that JSON does not support become null.
func toJSON(v ast.Value) any {
	switch v := v.(type) {
	case *ast.Object:
		out := map[string]any{}
		if v != nil {
			for _, k := range v.Keys {
				out[k] = toJSON(v.Values[k])
			}
		}
		return out
	case []ast.Value:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = toJSON(e)
		}
		return out
	case bool, float64, string:
		return v
	}
	return nil
}
