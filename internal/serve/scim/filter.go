package scim

import (
	"encoding/json"
	"strings"
)

// Limits for a filter or path: bytes, and total number of conditions.
const (
	maxFilter     = 2000
	maxConditions = 10
)

// attribute is the path of an attribute: emails[type eq "work"].value has all parts. Names are in lower case.
type attribute struct {
	name  string
	where []condition // nil = no filter on values
	sub   string      // "" = the attribute itself
}

// condition compares an attribute with a value.
type condition struct {
	attribute
	value any // string, bool, float64 or nil
}

// parseFilter parses conditions of the form `attribute eq value` joined by and, which is what identity providers
// send.
func parseFilter(text string) ([]condition, error) {
	p := parser{rest: text, code: invalidFilter}
	if len(text) > maxFilter {
		return nil, bad(invalidFilter, "A filter may have at most %d bytes.", maxFilter)
	}
	list, err := p.conditions(true)
	if err == nil && p.rest != "" {
		err = p.unsupported()
	}
	return list, err
}

// parsePath parses the path of a PATCH operation.
func parsePath(text string) (attribute, error) {
	p := parser{rest: text, code: invalidPath}
	if len(text) > maxFilter {
		return attribute{}, bad(invalidPath, "A path may have at most %d bytes.", maxFilter)
	}
	out, err := p.attribute(true)
	if err == nil && p.rest != "" {
		err = p.unsupported()
	}
	return out, err
}

// parser consumes text from its start.
type parser struct {
	rest string
	code string // fault code for errors
	n    int    // number of conditions so far
}

func (p *parser) unsupported() error {
	return bad(p.code, "This server supports conditions such as userName eq \"a\", joined by and, "+
		"and paths such as emails[type eq \"work\"].value. It cannot read: %s", p.rest)
}

// conditions parses one or more conditions joined by and. Only the outermost conditions may filter values, so filters
// cannot be nested.
func (p *parser) conditions(outermost bool) (list []condition, err error) {
	for {
		if p.n++; p.n > maxConditions {
			return nil, bad(p.code, "A filter may have at most %d conditions.", maxConditions)
		}
		one, err := p.condition(outermost)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		if !p.word("and") {
			return list, nil
		}
	}
}

func (p *parser) condition(outermost bool) (out condition, err error) {
	if out.attribute, err = p.attribute(outermost); err != nil {
		return out, err
	}
	if !p.word("eq") {
		if out.where != nil && out.sub == "" { // emails[value eq "a"] is a complete condition
			return out, nil
		}
		return out, p.unsupported()
	}
	return out, p.value(&out.value)
}

// attribute parses a path. The schema's name as a prefix is optional.
func (p *parser) attribute(choose bool) (out attribute, err error) {
	p.space()
	if out.name, err = p.name(); err != nil {
		return out, err
	}
	full := out.name
	if out.name, out.sub = splitName(out.name); out.name == "" {
		return out, bad(p.code, "%q is not the name of an attribute.", full)
	}
	if choose && out.sub == "" && strings.HasPrefix(p.rest, "[") {
		p.rest = p.rest[1:]
		if out.where, err = p.conditions(false); err != nil {
			return out, err
		}
		p.space()
		if !strings.HasPrefix(p.rest, "]") {
			return out, p.unsupported()
		}
		p.rest = p.rest[1:]
		if strings.HasPrefix(p.rest, ".") {
			p.rest = p.rest[1:]
			out.sub, err = p.name()
			if strings.ContainsAny(out.sub, ".:") {
				err = p.unsupported()
			}
		}
	}
	return out, err
}

// splitName splits an attribute's name into name and sub-attribute, without the schema's name.
func splitName(full string) (name, sub string) {
	for _, schema := range []string{userSchema, groupSchema} {
		full = strings.TrimPrefix(full, strings.ToLower(schema)+":")
	}
	if strings.HasPrefix(full, strings.ToLower(enterpriseSchema)) {
		return enterprise, ""
	}
	if strings.HasPrefix(full, "urn:") {
		return full, ""
	}
	name, sub, _ = strings.Cut(full, ".")
	return name, sub
}

// name parses an attribute name, and converts it to lower case.
func (p *parser) name() (string, error) {
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-$:.", r)
	})
	if n < 0 {
		n = len(p.rest)
	}
	if n == 0 {
		return "", p.unsupported()
	}
	out := strings.ToLower(p.rest[:n])
	p.rest = p.rest[n:]
	return out, nil
}

// word consumes a word, ignoring case, and the spaces around it.
func (p *parser) word(w string) bool {
	after := strings.TrimLeft(p.rest, " ")
	if after == p.rest || len(after) <= len(w) || !strings.EqualFold(after[:len(w)], w) || after[len(w)] != ' ' {
		return false
	}
	p.rest = strings.TrimLeft(after[len(w):], " ")
	return true
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// value parses a JSON value that is neither a list nor an object.
func (p *parser) value(into *any) error {
	d := json.NewDecoder(strings.NewReader(p.rest))
	token, err := d.Token()
	if _, isDelim := token.(json.Delim); err != nil || isDelim {
		return p.unsupported()
	}
	*into = token
	p.rest = p.rest[d.InputOffset():]
	return nil
}
