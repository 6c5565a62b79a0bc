package jsrun

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unsafe"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// Values are sent to the engine as JSON; web/island/src/server/render.ts defines the format.
const (
	maxInput   = 4 << 20 // bytes of variables
	maxNesting = 100
)

var errInput = errors.New("the variables are too large or nested too deeply")

// holder stores values that the engine cannot hold (content, functions) and numbers them. The same content always
// gets the same number, so that equal variables are encoded as equal JSON.
type holder struct {
	values []ast.Value
	nodes  map[*ast.Node]int // keyed by the address of the first node
}

func (h *holder) encode(v ast.Value) (string, error) {
	if v == nil {
		return `["o"]`, nil
	}
	b, err := h.append(nil, v, 0)
	return string(b), err
}

func (h *holder) append(b []byte, v ast.Value, depth int) ([]byte, error) {
	if depth > maxNesting || len(b) > maxInput {
		return b, errInput
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case float64:
		return appendNumber(b, v), nil
	case string:
		return appendString(b, v), nil
	case []ast.Value:
		b = append(b, `["a"`...)
		for _, e := range v {
			var err error
			if b, err = h.append(append(b, ','), e, depth+1); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	case *ast.Object:
		return h.appendObject(b, v, depth)
	case ast.Nodes:
		return h.appendHeld(b, v), nil
	case ast.Opaque:
		return h.appendHeld(b, v), nil
	}
	return append(b, `["u"]`...), nil
}

func (h *holder) appendObject(b []byte, o *ast.Object, depth int) ([]byte, error) {
	b = append(b, `["o"`...)
	for _, k := range o.Keys {
		b = append(appendString(append(b, ','), k), ',')
		var err error
		if b, err = h.append(b, o.Values[k], depth+1); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (h *holder) appendHeld(b []byte, v ast.Value) []byte {
	nodes, isNodes := v.(ast.Nodes)
	if isNodes && len(nodes) == 0 {
		return append(b, "null"...)
	}
	n, known := len(h.values), false
	if isNodes {
		if h.nodes == nil {
			h.nodes = map[*ast.Node]int{}
		}
		key := unsafe.SliceData(nodes)
		if n, known = h.nodes[key]; !known {
			n = len(h.values)
			h.nodes[key] = n
		}
	}
	if !known {
		h.values = append(h.values, v)
	}
	return append(strconv.AppendInt(append(b, `["x",`...), int64(n), 10), ']')
}

func appendNumber(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(append(append(b, `["n","`...), ast.Number(f)...), `"]`...)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

func appendString(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // unreachable: strings always marshal
		return append(b, `""`...)
	}
	return append(b, text...)
}
