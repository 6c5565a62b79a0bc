package icon

import (
	"strings"
	"unicode"
)

// ref is the name of an icon in a library. library is "" if the author named none.
type ref struct{ library, name string }

// maxName limits the length of a name. No library has longer names.
const maxName = 80

// prefixes maps a prefix before a colon, as in "lucide:star" or "fa6-brands:github", to a library and a style.
var prefixes = map[string][2]string{
	"fa": {FontAwesome, ""}, "fontawesome": {FontAwesome, ""}, "font-awesome": {FontAwesome, ""},
	"fa-solid": {FontAwesome, "solid"}, "fa-regular": {FontAwesome, "regular"}, "fa-brands": {FontAwesome, "brands"},
	"fa6-solid": {FontAwesome, "solid"}, "fa6-regular": {FontAwesome, "regular"}, "fa6-brands": {FontAwesome, "brands"},
	"fas": {FontAwesome, "solid"}, "far": {FontAwesome, "regular"}, "fab": {FontAwesome, "brands"},
	"lucide": {Lucide, ""}, "tabler": {Tabler, ""}, "ti": {Tabler, ""},
}

// styleWords maps Font Awesome's style classes, as in "fas fa-star" or "fa-solid fa-star", to styles.
var styleWords = map[string]string{
	"fa": "", "fas": "solid", "far": "regular", "fab": "brands", "fal": "light", "fat": "thin", "fad": "duotone",
	"fass": "sharp-solid", "fasr": "sharp-regular", "fasl": "sharp-light",
	"fa-solid": "solid", "fa-regular": "regular", "fa-brands": "brands", "fa-light": "light", "fa-thin": "thin",
	"fa-duotone": "duotone",
	"fa-sharp":   "", "fa-classic": "", "fa-fw": "",
}

// parseName parses a name as authors write it, with an optional library or style before it and classes around it. ok is
// false if the text cannot be a name.
func parseName(written string) (r ref, style string, ok bool) {
	written = strings.TrimSpace(written)
	if before, after, has := strings.Cut(written, ":"); has {
		known, isPrefix := prefixes[strings.ToLower(before)]
		if !isPrefix {
			return ref{}, "", false
		}
		r.library, style, written = known[0], known[1], after
	}
	for word := range strings.FieldsSeq(written) {
		if s, isStyle := styleWords[strings.ToLower(word)]; isStyle {
			if s != "" {
				style = s
			}
			continue
		}
		if r.name == "" {
			r.name = word
		}
	}
	return r, style, r.name != "" && len(r.name) <= maxName && strings.IndexFunc(r.name, notInName) < 0
}

func notInName(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
}

// spellings returns the possible spellings of a name in a library, most likely first: ArrowRight → arrow-right,
// GitHub → github, Trash2 → trash-2, faStar and fa-star → star.
func spellings(name string) []string {
	name = strings.ReplaceAll(name, "_", "-")
	list := make([]string, 0, 4)
	add := func(s string) {
		for _, have := range list {
			if have == s {
				return
			}
		}
		if s != "" {
			list = append(list, s)
		}
	}
	kebab := hyphenate(name, false)
	add(kebab)
	add(strings.ToLower(name))
	add(hyphenate(name, true))
	for _, prefix := range []string{"fa-", "ti-", "lucide-", "icon-"} {
		if rest, cut := strings.CutPrefix(kebab, prefix); cut {
			add(rest)
		}
	}
	add(strings.TrimSuffix(kebab, "-icon"))
	return list
}

// hyphenate converts a name to lower case, with a hyphen before each capital letter that follows a lower-case
// letter or a digit and, if digits is set, before digits.
func hyphenate(name string, digits bool) string {
	var b strings.Builder
	last := rune('-')
	for _, c := range name {
		upper, digit := unicode.IsUpper(c), unicode.IsDigit(c)
		if last != '-' && (upper && !unicode.IsUpper(last) || digits && digit && !unicode.IsDigit(last)) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
		last = c
	}
	return b.String()
}
