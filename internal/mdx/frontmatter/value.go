package frontmatter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// This file decodes YAML values.

// fence is the number of lines before the YAML; it is added to positions inside it.
const fence = 1

// limits returns the limits for the YAML of one page.
func limits() jsontree.Limits {
	return jsontree.Limits{Bytes: maxSize, Depth: maxDepth, Values: maxValues}
}

const (
	maxDepth  = 50
	maxValues = 20_000
)

// word reads one of a few allowed words. It reports and drops any other value.
func word(to *string, allowed []string) read {
	return func(r *reader, key string, value *jsontree.Value) {
		var got string
		text(&got)(r, key, value)
		if got == "" || slices.Contains(allowed, got) {
			*to = got
			return
		}
		r.list.Warnf(value.Pos(), "front-matter-value",
			"The value of %q must be one of %s, not %q.", key, strings.Join(allowed, ", "), got)
		if near := didyoumean.Word(got, slices.Values(allowed)); near != "" {
			r.list.Hint("Did you mean " + strconv.Quote(near) + "?")
		}
	}
}

// tree keeps a value without decoding it, for the package that knows its format.
func tree(to **jsontree.Value) read {
	return func(_ *reader, _ string, value *jsontree.Value) { *to = value }
}

// near reports a key that is probably misspelled. Any other unknown key belongs to the author.
func (r *reader) near(key string, pos diag.Pos) {
	limit := 2 // maximum edit distance; short words may be similar by chance
	if len(key) < 8 {
		limit = 1
	}
	best, least := "", limit+1
	for _, k := range r.keys {
		d := didyoumean.Distance(strings.ToLower(key), strings.ToLower(k.name), limit+1)
		if k.read != nil && d < least && (d == 0 || len(key) > 3) {
			best, least = k.name, d
		}
	}
	if best == "" || key == best+"s" { // "tags", "icons": probably the author's own lists
		return
	}
	r.list.Warnf(pos, "front-matter-key", "Unknown front matter key %q.", key)
	r.list.Hint("Did you mean " + strconv.Quote(best) + "?")
}

func isMeta(key string) bool {
	return strings.HasPrefix(key, "og:") || strings.HasPrefix(key, "twitter:") || strings.HasPrefix(key, "article:")
}

func wordList(v *jsontree.Value) (out []string, ok bool) {
	if v.Kind == jsontree.List {
		for _, item := range v.Items {
			if s, ok := scalar(item); ok && s != "" {
				out = append(out, s)
			}
		}
		return out, true
	}
	s, ok := scalar(v)
	if v.Kind == jsontree.Bool {
		return nil, s == "false"
	}
	if ok {
		for w := range strings.SplitSeq(s, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out, ok
}

// scalar returns the text of a scalar value, as the author wrote it.
func scalar(v *jsontree.Value) (string, bool) {
	return v.Text(), v.Kind != jsontree.List && v.Kind != jsontree.Object
}
