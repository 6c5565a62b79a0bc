package openapi

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// limits describes the constraints on a value: "1 ≤ x ≤ 100", "at most 20 characters", "no duplicates".
func limits(k map[string]*jsontree.Value) (out []string) {
	if r := numberRange(k); r != "" {
		out = append(out, r)
	}
	if m := k["multipleOf"].Text(); m != "" && m != "1" {
		out = append(out, "multiple of "+m)
	}
	for _, r := range [...]struct{ one, many, min, max string }{
		{"character", "characters", "minLength", "maxLength"}, {"item", "items", "minItems", "maxItems"},
		{"property", "properties", "minProperties", "maxProperties"},
	} {
		if words := countRange(k[r.min].Text(), k[r.max].Text(), r.one, r.many); words != "" {
			out = append(out, words)
		}
	}
	if k["uniqueItems"].True() {
		out = append(out, "no duplicates")
	}
	return out
}

func numberRange(k map[string]*jsontree.Value) string {
	low, lowSign := bound(k["minimum"], k["exclusiveMinimum"])
	high, highSign := bound(k["maximum"], k["exclusiveMaximum"])
	switch {
	case low != "" && high != "":
		return low + " " + lowSign + " x " + highSign + " " + high
	case low != "":
		return "x " + strings.NewReplacer("<", ">", "≤", "≥").Replace(lowSign) + " " + low
	case high != "":
		return "x " + highSign + " " + high
	}
	return ""
}

// countRange describes the allowed number of items, or returns "" if it is unlimited.
func countRange(least, most, one, many string) string {
	noun := func(n string) string {
		if n == "1" {
			return n + " " + one
		}
		return n + " " + many
	}
	if least == "0" {
		least = ""
	}
	switch {
	case least == "" && most == "":
		return ""
	case most == "0":
		return "empty"
	case least == most:
		return "exactly " + noun(most)
	case most == "":
		return "at least " + noun(least)
	case least == "":
		return "at most " + noun(most)
	}
	return least + " to " + noun(most)
}

// bound reads a limit in either form: OpenAPI 3.0 has a flag next to the limit, and 3.1 has a separate number.
func bound(plain, exclusive *jsontree.Value) (number, sign string) {
	if exclusive.Is(jsontree.Number) {
		return exclusive.Str, "<"
	}
	if exclusive.True() {
		return plain.Text(), "<"
	}
	return plain.Text(), "≤"
}

// formats explains the formats whose names are not self-explanatory.
var formats = map[string]string{
	"date-time": "date and time as in 2026-01-31T09:30:00Z", "date": "date as in 2026-01-31",
	"time": "time as in 09:30:00Z", "duration": "duration as in P1DT12H", "byte": "Base64",
	"int32": "32-bit integer", "int64": "64-bit integer", "float": "32-bit floating point",
	"double": "64-bit floating point", "uri-reference": "URL, absolute or relative", "uri-template": "URL template",
	"json-pointer": "JSON Pointer", "regex": "regular expression", "idn-email": "email address",
	"idn-hostname": "host name", "iri": "URL", "unixtime": "seconds since 1970-01-01 UTC",
	"unix-time": "seconds since 1970-01-01 UTC", "timestamp": "point in time",
}

// FormatWords explains the format of the values. It returns "" for unknown formats and for formats with
// self-explanatory names.
func (s *Schema) FormatWords() string { return formats[s.Format] }
