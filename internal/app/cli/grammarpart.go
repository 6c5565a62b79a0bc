package cli

import (
	"reflect"
	"strings"
	"unicode"
)

// grammarFor returns the grammar without the commands that are not in the arguments: parsing the tags of all commands
// takes longer than most commands do. If the arguments do not start with a command, it returns the whole grammar, for
// help and errors.
func grammarFor(args []string) any {
	whole, named := reflect.TypeFor[grammar](), false
	var fields []reflect.StructField
	for i := range whole.NumField() {
		f := whole.Field(i)
		_, command := f.Tag.Lookup("cmd")
		if command && (len(args) == 0 || commandName(f.Name) != args[0]) {
			continue
		}
		fields, named = append(fields, f), named || command
	}
	if !named {
		return &grammar{}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// commandName returns the library's name for the command of a field: serve-bundle for ServeBundle.
func commandName(field string) string {
	var b strings.Builder
	for i, r := range field {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
