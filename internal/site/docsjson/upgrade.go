package docsjson

import (
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// Upgrade converts mint.json to docs.json. The list reports values that could not be converted, and other problems. If
// it contains an error, there is no result. If the folder has no mint.json, the error is a not-found fault.
func Upgrade(src fs.FS) ([]byte, diag.List, error) {
	var list diag.List
	data, err := safefile.Read(src, legacyFile, maxFile)
	if err != nil {
		return nil, nil, fault.New(fault.NotFound, "no_site_file",
			"The folder has no mint.json, or the file cannot be read.").
			WithHint("Pass the folder that contains mint.json.")
	}
	root, _ := read(src, legacyFile, data, &list)
	if root == nil || list.HasErrors() {
		return nil, list, nil
	}
	newChecker(&list).check(root, legacyShape(), &place{})
	out := write(convert(root, &list))
	list.Sort()
	return out, slices.Compact(list), nil
}

// write formats a tree in the usual style: one member per line, except for lists or objects of scalars that fit on one
// line.
func write(v *jsontree.Value) []byte {
	var b strings.Builder
	writeValue(&b, v, "\n")
	b.WriteByte('\n')
	return []byte(b.String())
}

// writeWidth is the maximum length of a line with several values, in characters.
const writeWidth = 100

func writeValue(b *strings.Builder, v *jsontree.Value, indent string) {
	if line, ok := oneLine(v); ok && utf8.RuneCountInString(line)+len(indent) < writeWidth {
		b.WriteString(line)
		return
	}
	open, end, n := "{", "}", len(v.Members)
	if v.Kind == jsontree.List {
		open, end, n = "[", "]", len(v.Items)
	}
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(indent + "  ")
		if v.Kind == jsontree.List {
			writeValue(b, v.Items[i], indent+"  ")
			continue
		}
		jsontree.Quote(b, v.Members[i].Key)
		b.WriteString(": ")
		writeValue(b, v.Members[i].Value, indent+"  ")
	}
	b.WriteString(indent + end)
}

// oneLine formats scalars, and lists and objects of scalars. ok is false for other values.
func oneLine(v *jsontree.Value) (line string, ok bool) {
	var b strings.Builder
	plain := func(v *jsontree.Value) bool {
		switch v.Kind {
		case jsontree.List, jsontree.Object:
			return false
		case jsontree.String:
			jsontree.Quote(&b, v.Str)
		case jsontree.Null:
			b.WriteString("null")
		default:
			b.WriteString(v.Str)
		}
		return true
	}
	switch v.Kind {
	case jsontree.List:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			if !plain(item) {
				return "", false
			}
		}
		b.WriteByte(']')
	case jsontree.Object:
		if len(v.Members) == 0 {
			return "{}", true
		}
		b.WriteString("{ ")
		for i, m := range v.Members {
			if i > 0 {
				b.WriteString(", ")
			}
			jsontree.Quote(&b, m.Key)
			b.WriteString(": ")
			if !plain(m.Value) {
				return "", false
			}
		}
		b.WriteString(" }")
	default:
		plain(v)
	}
	return b.String(), true
}
