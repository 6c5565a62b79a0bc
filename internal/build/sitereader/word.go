package sitereader

import (
	"context"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Word is what a site's search makes of one word.
type Word struct {
	Forms []string // words of the site that count as it, as they are written there
	Means []string // words that mean the same, on every site or for its authors, as the index has them
	Pages int      // how many pages have one of the forms; few of those that are very many are counted
}

// Word asks the search for one word, so that others who look for words in pages match them as the search does: by
// beginnings, with slips corrected, and with the site's synonyms. filter has the language and version. A word that is
// not on the site has no pages.
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
