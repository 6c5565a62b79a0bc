package assistant

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// retrieval holds what was retrieved for one question: the passages that may be cited, and the addresses in them.
// Passage numbers start at 1 and do not change.
type retrieval struct {
	library  *sitereader.Library
	filter   sitereader.Query // language and version
	passages []passage
	named    map[string]bool // addresses in the retrieved texts, and those of the passages
	cited    []int           // passage numbers in the order in which the answer cites them
}

func newRetrieval(l *sitereader.Library, q Question) *retrieval {
	return &retrieval{library: l, filter: sitereader.Query{Language: q.Language, Version: q.Version},
		named: map[string]bool{}}
}

// weakest is the minimum share of the question that the reader's current page must cover to be passed to a model.
const weakest = 0.3

// retrieve finds passages for a model. It leaves out passages that contain no word of the question. own are the terms
// of the question itself.
func (s *retrieval) retrieve(ctx context.Context, q Question) (own terms, err error) {
	var found []passage
	seen := map[string]bool{}
	for _, text := range q.lookFor() {
		words, err := s.lookUp(ctx, text, q.Text)
		if err != nil {
			return nil, err
		}
		if text == q.Text {
			own = words
		}
		list, err := s.search(ctx, text, q.Passages)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			p.fit = words.share(searchindex.Terms(p.title + " " + p.text))
			if key := p.path(); p.fit > 0 && !seen[key] {
				seen[key] = true
				found = append(found, p)
			}
		}
	}
	// sort the results of two searches by how well they match their search's words; keep the order of a single search
	if len(q.Earlier) > 0 {
		slices.SortStableFunc(found, func(a, b passage) int { return int(100*b.fit) - int(100*a.fit) })
	}
	size := 0
	for _, p := range found[:min(len(found), q.Passages)] {
		if size += len(p.text); size > maxFound {
			break
		}
		s.add(p)
	}
	return own, nil
}

// search finds parts of pages. A question without searchable words finds nothing.
func (s *retrieval) search(ctx context.Context, text string, limit int) ([]passage, error) {
	q := s.filter
	q.Text, q.Limit = conversation.Cut(strings.TrimSpace(text), sitereader.MaxText), limit
	if q.Text == "" {
		return nil, nil
	}
	hits, err := s.library.Search(ctx, q)
	if fault.Is(err, fault.Invalid) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]passage, 0, len(hits))
	for _, h := range hits {
		out = append(out, fromHit(ctx, s.library, h))
	}
	return out, nil
}

const (
	maxPage  = 9_000  // bytes of a page that is read completely
	maxFound = 30_000 // bytes of all passages retrieved first
)

// page reads a page from an offset. next is the offset of the rest, 0 at the end. Pages that authors have excluded
// from the search are not read either.
func (s *retrieval) page(ctx context.Context, path string, from int) (p passage, next int, err error) {
	found, err := s.library.Page(ctx, path)
	if err != nil {
		return p, 0, err
	}
	findable, err := s.library.Findable(ctx, found.Path)
	if err != nil {
		return p, 0, err
	}
	if !findable {
		return p, 0, sitereader.UnknownPage()
	}
	content := strings.ToValidUTF8(sitereader.Unled(found.Content), "")
	from = min(max(from, 0), len(content))
	for from < len(content) && !utf8.RuneStart(content[from]) {
		from++
	}
	text, taken := sitereader.Part(content[from:], maxPage)
	if from+taken < len(content) {
		next = from + taken
	}
	return passage{page: found.Path, title: titleOf(content, found.Path), text: guard.Clean(text), from: from}, next,
		nil
}

// titleOf returns the first heading of a page, or its address.
func titleOf(content, path string) string {
	return cmp.Or(sitereader.Title(content), sitereader.Address(path))
}

var addresses = lazyregexp.New(`https?://[^\s<>()\[\]"'` + "`" + `|\\]+|\]\((/[^\s)]*)\)`)

// add adds a passage, or finds the one that already exists.
func (s *retrieval) add(p passage) passage {
	for _, old := range s.passages {
		if old.path() == p.path() && old.from == p.from && len(old.text) >= len(p.text) {
			return old
		}
	}
	p.number = len(s.passages) + 1
	s.passages = append(s.passages, p)
	s.named[p.path()] = true
	s.named[sitereader.Address(p.page)] = true
	for _, m := range addresses.FindAllStringSubmatch(p.text, -1) {
		if m[1] != "" {
			s.named[m[1]] = true
		} else {
			s.named[strings.TrimRight(m[0], ".,:;!?*_~")] = true
		}
	}
	return p
}

// allow reports whether an address occurs in the retrieved texts in exactly the same form.
func (s *retrieval) allow(address string) bool {
	return s.named[address] && !strings.HasPrefix(address, "//")
}

// cite returns the number of a passage in the answer, and assigns one if necessary.
func (s *retrieval) cite(n int) (shown int, ok bool) {
	if n < 1 || n > len(s.passages) {
		return 0, false
	}
	path := s.passages[n-1].path()
	for i, c := range s.cited {
		if c == n || s.passages[c-1].path() == path {
			return i + 1, true
		}
	}
	s.cited = append(s.cited, n)
	return len(s.cited), true
}

// sources returns the passages that the answer cites.
func (s *retrieval) sources() (out []conversation.Source) {
	for i, n := range s.cited {
		p := s.passages[n-1]
		out = append(out, conversation.Source{Number: i + 1, Path: p.path(), Title: p.title})
	}
	return out
}
