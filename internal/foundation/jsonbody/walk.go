package jsonbody

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// walker reads tokens and checks each of them against the expected type.
type walker struct{ tokens *json.Decoder }

// value reads one value and checks that it is of type want.
func (w walker) value(path string, want reflect.Type, nullable bool, depth int) error {
	token, err := w.next()
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return invalid("invalid_json", path, "The body is nested too deeply.")
	}
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	wrong := invalid("invalid_field", path, show(path)+" must be "+kindName(want)+".")
	switch v := token.(type) {
	case nil:
		if nullable {
			return nil
		}
		return wrong
	case string:
		if strings.ContainsRune(v, 0) {
			return invalid("invalid_field", path, show(path)+" contains a NUL character.")
		}
		return unless(want.Kind() == reflect.String, wrong)
	case bool:
		return unless(want.Kind() == reflect.Bool, wrong)
	case json.Number:
		return unless(want.Kind() == reflect.Int || want.Kind() == reflect.Int64 ||
			want.Kind() == reflect.Float64, wrong)
	case json.Delim:
		return w.nested(v, path, want, wrong, depth)
	}
	return wrong
}

// nested reads the rest of an object or list after its opening bracket.
func (w walker) nested(open json.Delim, path string, want reflect.Type, wrong error, depth int) error {
	switch {
	case open == '{' && want.Kind() == reflect.Struct:
		return w.object(path, want, depth)
	case open == '[' && want.Kind() == reflect.Slice:
		return w.list(path, want.Elem(), depth)
	}
	return wrong
}

func (w walker) list(path string, element reflect.Type, depth int) error {
	for i := 0; w.tokens.More(); i++ {
		if err := w.value(join(path, strconv.Itoa(i)), element, false, depth+1); err != nil {
			return err
		}
	}
	_, err := w.next() // the closing bracket
	return err
}

func (w walker) object(path string, want reflect.Type, depth int) error {
	seen := map[string]bool{}
	for w.tokens.More() {
		token, err := w.next()
		if err != nil {
			return err
		}
		name, _ := token.(string) // at this point, the decoder only returns strings
		at := join(path, quoted(name))
		if seen[name] {
			return invalid("repeated_field", at, at+" appears twice.")
		}
		seen[name] = true
		field, ok := fieldNamed(want, name)
		if !ok {
			return invalid("unknown_field", at, "Unknown field "+at+".")
		}
		if err := w.value(at, field.Type, field.Tag.Get("nullable") == "true", depth+1); err != nil {
			return err
		}
	}
	if _, err := w.next(); err != nil {
		return err
	}
	for i := range want.NumField() {
		if f := want.Field(i); f.Tag.Get("required") == "true" && !seen[jsonName(f)] {
			at := join(path, jsonName(f))
			return invalid("missing_field", at, at+" is required.")
		}
	}
	return nil
}

func (w walker) next() (json.Token, error) {
	token, err := w.tokens.Token()
	if err != nil {
		return nil, invalid("invalid_json", "", "The body is not valid JSON.")
	}
	return token, nil
}

// fieldNamed finds a field by its exact name. encoding/json would also accept a name in another letter case.
func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for i := range t.NumField() {
		if f := t.Field(i); jsonName(f) == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}
