package sitereader

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Word describes how a site's search interprets one word.
type Word struct {
	Forms []string // words of the site that match it, as written there
	Means []string // its synonyms, built-in or from the site's authors, as the index stores them
	Pages int      // number of pages with one of the forms, at most MaxHits
}

// Word searches for one word, so that callers can match words in pages in the same way as the search: by prefix, with
// typing errors corrected, and with the site's synonyms. filter contains the language and version. If the site does not
// contain the word, Pages is 0.
func (l *Library) Word(ctx context.Context, word string, filter Query) (Word, error) {
	filter.Text, filter.Limit = word, MaxHits
	hits, err := l.Search(ctx, filter)
	if fault.Is(err, fault.Invalid) {
		return Word{}, nil
	}
	if err != nil {
		return Word{}, err
	}
	var out Word
	pages, forms := map[string]bool{}, map[string]bool{}
	for _, h := range hits {
		pages[h.Path] = true
		for _, m := range h.Marks {
			if form := strings.ToLower(h.Snippet[m[0]:m[1]]); !forms[form] {
				forms[form] = true
				out.Forms = append(out.Forms, form)
			}
		}
	}
	out.Pages = len(pages)
	ix, err := l.open(ctx)
	if err != nil {
		return Word{}, err
	}
	for _, w := range searchindex.Words(word) {
		out.Means = append(out.Means, ix.means(w.Term)...)
	}
	return out, nil
}
