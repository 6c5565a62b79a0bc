package component

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxProps is the maximum number of props to check on one element. Further findings would not help.
const maxProps = 100

// maxQuoted is the maximum length of an author's value in a message or a label, in bytes.
const maxQuoted = 60

// Check reports invalid props of an evaluated element. warn is Host.Warn.
func Check(c *Component, e *ast.Element, warn func(at ast.Span, code, message, hint string)) {
	if c.Instead != "" {
		warn(propSpan(e, ""), "component-alias", "<"+c.Name+"> is not a component; it is rendered as <"+c.Instead+">.",
			"Write <"+c.Instead+">.")
	}
	for i, p := range e.Props {
		if i == maxProps {
			break
		}
		if known := c.prop(p.Name); known != nil {
			checkValue(c, known, e, p, warn)
		} else if !always(p.Name) {
			warn(propSpan(e, p.Name), "unknown-prop",
				"<"+c.Name+"> has no prop "+strconv.Quote(clip.Bytes(p.Name, maxQuoted))+".", c.nearest(p.Name))
		}
	}
	for _, p := range c.Props {
		if p.Required && !e.Has(p.Name) {
			warn(propSpan(e, ""), "missing-prop", "<"+c.Name+"> needs "+p.Name+".", "Add "+p.Name+"=\"…\".")
		}
	}
}

func (c *Component) prop(name string) *Prop {
	for i := range c.Props {
		if c.Props[i].Name == name {
			return &c.Props[i]
		}
	}
	return nil
}

// always reports whether every component accepts a prop.
func always(name string) bool {
	switch name {
	case "className", "class", "style", "id", "key", "ref", "children":
		return true
	}
	return passes(name) || strings.HasPrefix(name, "data-") ||
		strings.HasPrefix(name, "on") && len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z'
}

func checkValue(c *Component, known *Prop, e *ast.Element, p ast.Prop,
	warn func(at ast.Span, code, message, hint string)) {
	if known.Ignored || p.Value == nil || p.Value == ast.Value(ast.Undefined{}) {
		return
	}
	bad := func(hint string) {
		warn(propSpan(e, p.Name), "bad-prop",
			"The prop "+known.Name+" of <"+c.Name+"> cannot be "+describe(p.Value)+".", hint)
	}
	switch known.Kind {
	case Number:
		if _, ok := number(p.Value); !ok {
			bad("Write a number: " + known.Name + "={2}.")
		}
	case Flag:
		switch v := p.Value.(type) {
		case bool, float64:
		case string:
			if v != "true" && v != "false" && v != "" {
				bad("Write " + known.Name + " or " + known.Name + "={false}.")
			}
		default:
			bad("Write " + known.Name + " or " + known.Name + "={false}.")
		}
	case Word:
		if s, ok := p.Value.(string); ok && slices.Contains(known.Values, s) {
			return
		}
		bad("Write one of " + strings.Join(known.Values, ", ") + ".")
	case Text:
		switch p.Value.(type) {
		case string, float64, bool, ast.Nodes:
		default:
			bad("Write text: " + known.Name + "=\"…\".")
		}
	case Icon, Rich:
		switch p.Value.(type) {
		case string, float64, bool, ast.Nodes, []ast.Value:
		default:
			bad("Write text or JSX.")
		}
	case Data:
	}
}

// number converts a value to a number. It accepts strings that contain a number.
func number(v ast.Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(v), "px"), 64)
		return f, err == nil
	}
	return 0, false
}

func describe(v ast.Value) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(clip.Bytes(v, maxQuoted))
	case float64, bool:
		return ast.String(v)
	case ast.Nodes:
		return "JSX"
	case []ast.Value:
		return "an array"
	case ast.Opaque:
		return "a " + v.Type
	}
	return "an object"
}

// nearest suggests the prop with the most similar name, or lists all props.
func (c *Component) nearest(name string) string {
	var names []string
	for _, p := range c.Props {
		if !p.Ignored {
			names = append(names, p.Name)
		}
	}
	if near := didyoumean.Word(name, slices.Values(names)); near != "" {
		return "Did you mean " + near + "?"
	}
	if len(names) == 0 {
		return "Remove it; the component has no props of its own."
	}
	return "Write one of " + strings.Join(names, ", ") + "."
}
