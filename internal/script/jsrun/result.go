package jsrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// reading is the decoded answer of the prelude. It is not trusted, because author code shares the machine with the
// prelude.
type reading struct {
	result Result
	err    *Error
	took   time.Duration
}

var errMalformed = errors.New("it is malformed")

// Limits of an answer. Decoding takes some fifty bytes for each value, no matter how short its encoding is.
const (
	maxValues  = 400_000 // also the number of nodes that a page may have
	maxNotes   = 20
	maxMessage = 600 // bytes
)

// maxAnswer returns the maximum size in bytes of an answer with output characters: each UTF-16 code unit of
// JavaScript takes up to three bytes in UTF-8, and notes take up to 64 KiB.
func maxAnswer(output int) int { return 3*output + 64<<10 }

// countValues estimates the number of values in JSON text without decoding it.
func countValues(text string) (n int) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// excerpt returns at most the first n bytes of text from author code, as valid UTF-8.
func excerpt(s string, n int) string { return clip.Bytes(strings.ToValidUTF8(s, "\ufffd"), n) }

func parseAnswer(text string, held *holder, slots int, at ast.Span) (reading, error) {
	if countValues(text) > maxValues {
		return reading{}, errors.New("it has too many values")
	}
	var raw struct {
		Value     any
		Error     *string
		Component string
		Client    bool
		Notes     []string
		MS        float64
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return reading{}, fmt.Errorf("parse answer: %w", err)
	}
	a := reading{took: time.Duration(max(0, min(raw.MS, 1e9)) * float64(time.Millisecond))}
	a.result.Client, a.result.Notes = raw.Client, raw.Notes[:min(len(raw.Notes), maxNotes)]
	for i, n := range a.result.Notes {
		a.result.Notes[i] = excerpt(n, maxMessage)
	}
	if raw.Error != nil {
		a.err = &Error{Message: excerpt(*raw.Error, maxMessage), Component: excerpt(raw.Component, maxMessage)}
		return a, nil
	}
	d := decoder{held: held, slots: slots, at: at}
	var err error
	a.result.Value, err = d.value(raw.Value)
	return a, err
}

// decoder converts decoded JSON to values and nodes.
type decoder struct {
	held  *holder
	slots int
	at    ast.Span
}

func (d *decoder) value(v any) (ast.Value, error) {
	list, ok := v.([]any)
	if !ok {
		switch v.(type) {
		case nil, bool, float64, string:
			return v, nil
		}
		return nil, errMalformed
	}
	kind, rest, err := cut(list)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "u":
		return ast.Undefined{}, nil
	case "n":
		return number(rest)
	case "a":
		return d.array(rest)
	case "o":
		return d.object(rest)
	case "f":
		name, err := text(rest)
		return ast.Opaque{Type: name}, err
	case "j":
		return d.nodes(rest)
	case "x":
		return d.heldValue(rest)
	}
	return nil, errMalformed
}

func (d *decoder) array(items []any) (ast.Value, error) {
	out := make([]ast.Value, len(items))
	for i, item := range items {
		var err error
		if out[i], err = d.value(item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *decoder) object(pairs []any) (ast.Value, error) {
	o := &ast.Object{}
	for ; len(pairs) >= 2; pairs = pairs[2:] {
		key, ok := pairs[0].(string)
		v, err := d.value(pairs[1])
		if !ok || err != nil {
			return nil, errMalformed
		}
		o.Set(key, v)
	}
	return o, nil
}

func (d *decoder) nodes(list []any) (ast.Nodes, error) {
	out := make(ast.Nodes, 0, len(list))
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, &ast.Text{Span: d.at, Value: s})
			continue
		}
		more, err := d.node(item)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// node returns the nodes of one item: an element, or content that the holder stored.
func (d *decoder) node(item any) ([]ast.Node, error) {
	list, _ := item.([]any)
	kind, rest, err := cut(list)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "e":
		e, err := d.element(rest)
		return []ast.Node{e}, err
	case "s":
		n, ok := index(rest, d.slots)
		if !ok {
			return nil, errMalformed
		}
		return []ast.Node{&ast.Slot{Span: d.at, Index: n}}, nil
	case "x":
		v, err := d.heldValue(rest)
		nodes, _ := v.(ast.Nodes) // other values cannot be rendered
		return nodes, err
	}
	return nil, errMalformed
}

func (d *decoder) element(rest []any) (ast.Node, error) {
	if len(rest) < 2 {
		return nil, errMalformed
	}
	name, ok := rest[0].(string)
	props, ok2 := rest[1].([]any)
	if !ok || !ok2 || name == "" {
		return nil, errMalformed
	}
	e := &ast.Element{Span: d.at, Name: name, Open: d.at, Props: make([]ast.Prop, 0, len(props)/2)}
	for ; len(props) >= 2; props = props[2:] {
		key, ok := props[0].(string)
		v, err := d.value(props[1])
		if !ok || err != nil {
			return nil, errMalformed
		}
		e.Props = append(e.Props, ast.Prop{Name: key, Value: v, Attr: d.at})
	}
	kids, err := d.nodes(rest[2:])
	e.Children = ast.Children(kids)
	return e, err
}

func (d *decoder) heldValue(rest []any) (ast.Value, error) {
	n, ok := index(rest, len(d.held.values))
	if !ok {
		return nil, errMalformed
	}
	return d.held.values[n], nil
}

func cut(list []any) (kind string, rest []any, err error) {
	if len(list) == 0 {
		return "", nil, errMalformed
	}
	kind, ok := list[0].(string)
	if !ok {
		return "", nil, errMalformed
	}
	return kind, list[1:], nil
}

func text(rest []any) (string, error) {
	if len(rest) == 1 {
		if s, ok := rest[0].(string); ok {
			return s, nil
		}
	}
	return "", errMalformed
}

func number(rest []any) (ast.Value, error) {
	switch s, _ := text(rest); s {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	}
	return nil, errMalformed
}

func index(rest []any, below int) (int, bool) {
	if len(rest) != 1 {
		return 0, false
	}
	f, ok := rest[0].(float64)
	return int(f), ok && f >= 0 && f < float64(below) && f == math.Trunc(f)
}
