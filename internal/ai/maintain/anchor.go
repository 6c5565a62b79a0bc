package maintain

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// anchor returns the corrected address of a reference whose anchor is missing, or "" and a reason if the right anchor
// is not certain.
func (m *linkFixer) anchor(r reference, t link.Target) (ref, why string) {
	id, why := nearID(t.Anchor, m.ids[t.Page])
	if why != "" {
		return "", why
	}
	return withAnchor(r.dest, id), ""
}

// withAnchor replaces the anchor of an address.
func withAnchor(dest, id string) string {
	body, _, _ := strings.Cut(dest, "#")
	if strings.ContainsAny(id, " \"'<>\\^`{|}%()") {
		id = (&url.URL{Fragment: id}).EscapedFragment()
	}
	return body + "#" + id
}

// nearID finds the id on a page that the wanted id must mean. If no id or more than one qualifies, it returns "" and
// the reason.
func nearID(wanted string, ids []string) (id, why string) {
	for _, same := range []func(string) bool{
		func(id string) bool { return letters(id) == letters(wanted) },
		func(id string) bool { return id == nextNumber(wanted, ids) },
		func(id string) bool { return closeID(letters(id), letters(wanted)) },
	} {
		var found []string
		for _, id := range ids {
			if same(id) {
				found = append(found, id)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], ""
		case len(found) > 1:
			return "", whySeveral + "#" + strings.Join(found[:min(3, len(found))], ", #")
		}
	}
	return "", "no heading of that page has a similar id"
}

// letters returns an id without the parts that programs generate differently: case, hyphens, marks.
func letters(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, id)
}

// nextNumber returns the id of a repeated heading. Other programs number repetitions from one: their usage-1 is usage-2
// here.
func nextNumber(id string, ids []string) string {
	i := strings.LastIndexByte(id, '-')
	n, err := strconv.Atoi(id[i+1:])
	if i <= 0 || err != nil || n < 1 || n > 1000 || !slices.Contains(ids, id[:i]) {
		return ""
	}
	return id[:i+1] + strconv.Itoa(n+1)
}

// closeID reports whether two ids differ only by a typing error.
func closeID(a, b string) bool {
	most := min(3, min(len(a), len(b))/5)
	return most > 0 && digits(a) == digits(b) && (swapped(a, b) || didyoumean.Distance(a, b, most+1) <= most)
}
