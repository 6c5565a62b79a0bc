package jsonbody

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxDepth limits the nesting of objects and lists.
const maxDepth = 32

// Decode decodes raw into the struct that into points to. The json tag of a field defines its name; `required:"true"`
// makes the field mandatory, `nullable:"true"` permits null. Fields are strings, bools, numbers, structs, lists of
// those and pointers to those. A pointer stays nil if the field is missing.
func Decode(raw []byte, into any) error {
	if !utf8.Valid(raw) {
		return invalid("invalid_json", "", "The body is not valid UTF-8.")
	}
	w := walker{tokens: json.NewDecoder(bytes.NewReader(raw))}
	w.tokens.UseNumber()
	if err := w.value("", reflect.TypeOf(into).Elem(), false, 0); err != nil {
		return err
	}
	if _, err := w.tokens.Token(); !errors.Is(err, io.EOF) {
		return invalid("invalid_json", "", "The body has data after its JSON value.")
	}
	// The walk has checked everything except for the range of numbers.
	if err := json.Unmarshal(raw, into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return invalid("invalid_field", wrong.Field, wrong.Field+" must be "+kindName(wrong.Type)+".")
		}
		return invalid("invalid_json", "", "The body is not valid JSON.").WithCause(err)
	}
	return nil
}

// invalid returns a fault for a field. field is "" for the body as a whole.
func invalid(code, field, sentence string) *fault.Error {
	return fault.New(fault.Invalid, code, sentence).WithField(field)
}

// join appends a name to a dotted path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// show returns the name of a path for messages.
func show(path string) string {
	if path == "" {
		return "The body"
	}
	return path
}

// kindName returns the name of a type for messages.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindName(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// quoted truncates and escapes text of the caller for use in a message.
func quoted(s string) string {
	return clip.Runes(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s), 64)
}
