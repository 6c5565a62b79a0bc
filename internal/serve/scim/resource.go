package scim

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Names of schemas.
const (
	userSchema       = "urn:ietf:params:scim:schemas:core:2.0:User"
	groupSchema      = "urn:ietf:params:scim:schemas:core:2.0:Group"
	enterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

	enterprise = "enterprise user" // all attributes of that schema, which are not stored
)

// meta is the metadata of a resource.
type meta struct {
	ResourceType string `json:"resourceType"`
	Created      string `json:"created,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
	Location     string `json:"location"`
	Version      string `json:"version,omitempty"`
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// reference is one of a user's groups, or a member of a group.
type reference struct {
	Value   string `json:"value"`
	Ref     string `json:"$ref"`
	Display string `json:"display,omitempty"`
	Type    string `json:"type,omitempty"`
}

const maxText = 256 // characters of an attribute

// textValue parses a string attribute.
func textValue(name string, v any) (string, error) {
	s, ok := v.(string)
	if v == nil {
		s, ok = "", true
	}
	if s = strings.TrimSpace(s); !ok || utf8.RuneCountInString(s) > maxText || strings.ContainsFunc(s, unicode.IsControl) {
		return "", bad(invalidValue, "%s must be a string of at most %d printable characters.", name, maxText)
	}
	return s, nil
}

// boolValue parses a boolean attribute, which some providers send as a string.
func boolValue(name string, v any) (bool, error) {
	switch b := v.(type) {
	case bool:
		return b, nil
	case string:
		if strings.EqualFold(b, "true") {
			return true, nil
		}
		if strings.EqualFold(b, "false") {
			return false, nil
		}
	}
	return false, bad(invalidValue, "%s must be true or false.", name)
}

// field returns a value of an object by its lower-case name: attribute names are case-insensitive.
func field(object map[string]any, name string) (any, bool) {
	if v, ok := object[name]; ok {
		return v, true
	}
	for k, v := range object {
		if strings.EqualFold(k, name) {
			return v, true
		}
	}
	return nil, false
}

// objects parses a multi-valued attribute; a single value may be sent without a list.
func objects(name string, v any) ([]map[string]any, error) {
	list, ok := v.([]any)
	if !ok && v != nil {
		list = []any{v}
	}
	out := make([]map[string]any, 0, len(list))
	for _, one := range list {
		object, ok := one.(map[string]any)
		if !ok {
			return nil, bad(invalidValue, "%s must be a list of objects.", name)
		}
		out = append(out, object)
	}
	return out, nil
}
