package stylesheet

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/render/contract"
	"github.com/lectern-docs/lectern/web/theme"
)

// ownParts returns a selector for the elements that a selector such as [class*="navbar"] must exclude: elements inside
// the theme's parts whose classes also contain that text. In the markup that the rule was written for, these elements
// have no such class. Without the exclusion, a border meant for the bar would also be drawn around each of its parts.
// Elements that have a class for authors, or the class of a whole part, are not excluded. It returns "" if there is
// nothing to exclude. The result does not increase the specificity.
func ownParts(word string) string {
	parts, wholes := themeClasses()
	var inner, whole []string
	for _, name := range parts {
		if strings.Contains(name, word) {
			inner = append(inner, "."+name)
		}
	}
	if len(inner) == 0 {
		return ""
	}
	for _, name := range slices.Concat(contract.Classes, wholes) {
		if strings.Contains(name, word) || strings.Contains(word, name) {
			whole = append(whole, "."+name)
		}
	}
	out := ":not(:where(" + strings.Join(inner, ",")
	if len(whole) > 0 {
		out = ":not(:where(:is(" + strings.Join(inner, ",") + "):not(" + strings.Join(whole, ",") + ")"
	}
	return out + "))"
}

// wordOfClass returns the text in [class*="text"], [class^="text"] and [class$="text"], where all[i] is the opening
// bracket. It also returns the end of the selector. ok is false for other selectors.
func (t *translator) wordOfClass(all []token, i int) (word string, end int, ok bool) {
	const length = 6 // [ class * = text ]
	if i+length > len(all) || all[i+1].value != "class" || all[i+1].kind != name {
		return "", 0, false
	}
	operator, equals, last := byteOf(t.src, all[i+2]), byteOf(t.src, all[i+3]), byteOf(t.src, all[i+5])
	if !strings.ContainsRune("*^$", rune(operator)) || operator == 0 || equals != '=' || last != ']' {
		return "", 0, false
	}
	return all[i+4].value, all[i+5].end, all[i+4].value != "" && (all[i+4].kind == text || all[i+4].kind == name)
}

// themeClasses returns the classes of the theme's style sheets, sorted. parts are the names with a hyphen that are not
// in the contract. They are used for parts or variants of something. wholes are the classes of whole parts of the page.
// Other names of one or two letters are omitted, because they are token classes of code.
var themeClasses = sync.OnceValues(func() (parts, wholes []string) {
	noNames := regexp.MustCompile(`(?s)/\*.*?\*/|"[^"]*"|url\([^)]*\)`)
	class := regexp.MustCompile(`\.([a-z][a-z0-9-]*)`)
	err := fs.WalkDir(theme.FS(), "src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".css") {
			return err
		}
		css, err := fs.ReadFile(theme.FS(), path)
		for _, m := range class.FindAllSubmatch(noNames.ReplaceAll(css, nil), -1) {
			name := string(m[1])
			_, author := slices.BinarySearch(contract.Classes, name)
			switch dashed := strings.Contains(name, "-"); {
			case dashed && !author:
				parts = append(parts, name)
			case !dashed && len(name) > 2:
				wholes = append(wholes, name)
			}
		}
		return err
	})
	if err != nil {
		panic("stylesheet: read the theme: " + err.Error()) // the theme is part of the program
	}
	slices.Sort(parts)
	slices.Sort(wholes)
	return slices.Compact(parts), slices.Compact(wholes)
})
