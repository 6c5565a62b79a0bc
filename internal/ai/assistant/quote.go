package assistant

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// found is a part of a page, with its best block for the question.
type found struct {
	page   string
	part   sitereader.Leaf
	blocks []block
	score  float64 // score of the part or its page in the search
	best   int     // index into blocks
	share  float64 // share of the question that the block and its headings cover
	rank   float64
}

const (
	hitsLooked  = 30      // hits of the search that are examined
	pagesLooked = 10      // pages whose parts are all examined
	maxLooked   = 400_000 // bytes of a page; the rest is ignored
	maxListing  = 2_500   // bytes of code; longer code is not an example
)

// Weights for ranking parts. They were tuned on one half of the judged questions.
const (
	beyondHits   = 0.85 // relative score of a part that the search did not return, compared with the best hit on its page
	scoreWorth   = 0.25 // weight of the search's score in the rank
	aboveWorth   = 0.8  // a question word that occurs only in the headings
	pageWorth    = 0.6  // … only in the page's title
	headWorth    = 0.28 // a heading that matches the question
	keyWorth     = 0.18 // a row whose first cell matches the question
	codeWorth    = 0.06 // code, if the question asks for a command or an example
	numberWorth  = 0.1  // a number of the requested kind
	rowCost      = 0.08 // penalty for a table row if the question is how to do something: guides explain more
	lengthCost   = 0.12 // penalty for a block as long as longBlock, which contains many words by chance
	longBlock    = 1_500
	summaryWorth = 0.7 // a page's description mentions the answer but does not contain it
)

// findParts searches the way the search box does. In each part of the best pages it finds the block that covers most of
// the question. The best part comes first.
func (s *retrieval) findParts(ctx context.Context, text string, ts terms, asks asked) ([]found, error) {
	q := s.filter
	q.Text, q.Limit = conversation.Cut(strings.TrimSpace(text), sitereader.MaxText), hitsLooked
	hits, err := s.library.Search(ctx, q)
	if fault.Is(err, fault.Invalid) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []found
	pages := map[string]bool{}
	for _, h := range hits {
		if pages[h.Path] || len(pages) == pagesLooked {
			continue
		}
		pages[h.Path] = true
		page, err := s.library.Page(ctx, sitereader.Address(h.Path))
		if err != nil || page.Path != h.Path {
			continue
		}
		content, _ := sitereader.Part(page.Content, maxLooked)
		for _, part := range sitereader.Leaves(sitereader.Unled(s.library.Linked(content))) {
			score := beyondHits * h.Score
			for _, other := range hits {
				if other.Path == h.Path && other.Anchor == part.Anchor {
					score = max(score, other.Score)
				}
			}
			out = append(out, found{page: h.Path, part: part, score: score, blocks: blocksOf(guard.Clean(part.Text))})
		}
	}
	return ordered(out, ts, asks), nil
}

// ordered chooses the best block of each part and sorts the parts by its rank.
func ordered(list []found, ts terms, asks asked) []found {
	for i := range list {
		list[i].choose(ts, asks)
	}
	list = slices.DeleteFunc(list, func(f found) bool { return f.rank == 0 })
	slices.SortStableFunc(list, func(a, b found) int { return int(1000*b.rank) - int(1000*a.rank) })
	return list
}

// choose chooses the best block of a part.
func (f *found) choose(ts terms, asks asked) {
	titled, above := searchindex.Terms(f.part.Trail[0]), searchindex.Terms(strings.Join(f.part.Trail[1:], " "))
	var headed map[string]bool // words in the headings and in the table's header
	fits := 0.0
	if n := len(f.part.Trail); n > 1 {
		fits = headWorth * ts.fit(f.part.Trail[n-1]) * ts.share(searchindex.Terms(f.part.Trail[n-1]))
	}
	for i, b := range f.blocks {
		if b.kind == fence && len(b.text) > maxListing {
			continue
		}
		over := above
		if b.kind == row {
			if i == 0 || b.head != f.blocks[i-1].head {
				headed = searchindex.Terms(strings.Join(f.part.Trail[1:], " ") + " " + b.head)
			}
			over = headed
		}
		share := ts.coverage(b.have, over, titled)
		if b.kind == summary {
			share *= summaryWorth
		}
		rank := share*(1-lengthCost*min(1, float64(len(b.text))/longBlock))*(1-scoreWorth+scoreWorth*f.score) + fits +
			asks.bonus(f.blocks, i, fits)
		if b.kind == row {
			rank += keyWorth * ts.fit(b.key)
		}
		if share > 0 && rank > f.rank+0.001 {
			f.best, f.share, f.rank = i, share, rank
		}
	}
}

// fit returns the share of a short text, such as a heading, that the question contains.
func (ts terms) fit(text string) float64 {
	words := telling(text)
	n := 0.0
	for _, w := range words {
		have := map[string]bool{w: true}
		best := 0.0
		for _, t := range ts {
			best = max(best, t.in(have))
		}
		n += best
	}
	return n / float64(max(len(words), 1))
}

// coverage returns the share of the question that a block and its headings cover.
func (ts terms) coverage(own, above, titled map[string]bool) float64 {
	sum, all := 0.0, 0.0
	for _, t := range ts {
		sum += t.weight * max(t.in(own), aboveWorth*t.in(above), pageWorth*t.in(titled))
		all += t.weight
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// asked is the kind of answer that a question asks for.
type asked struct {
	code   bool               // asks for a command or an example
	number *lazyregexp.Regexp // matches the number asked for by "how long" or "how many"; nil = none
}

var (
	codeWords = wordSet("command code example snippet syntax flag flags curl")
	timeSpan  = lazyregexp.New(`\d\s?(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|h|m|ms|s)\b|(?i:once an? |every )`)
	extent    = lazyregexp.New(`(?i)\d\s?(?:[kmgt]i?b|bytes|characters|pixels|%)\b`)
	number    = lazyregexp.New(`(?:^|[\s(])[\d][\d,.]*\b|:\d{2,5}\b`)
	measured  = map[string]*lazyregexp.Regexp{"long": timeSpan, "often": timeSpan, "old": timeSpan, "when": timeSpan,
		"big": extent, "large": extent, "largest": extent, "size": extent, "many": number, "much": number,
		"maximum": number, "minimum": number, "limit": number, "port": number}
)

func asksFor(text string) (a asked) {
	words := split(text)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		a.code = a.code || codeWords[w] || w == "how" && (next == "do" || next == "can" || next == "to")
		if a.number == nil {
			a.number = measured[w]
		}
	}
	return a
}

// bonus returns the bonus for a block's form. Below a matching heading, the first code block is probably the
// answer.
func (a asked) bonus(blocks []block, i int, fits float64) (sum float64) {
	b := blocks[i]
	switch {
	case !a.code:
	case b.kind == fence || i+1 < len(blocks) && blocks[i+1].kind == fence:
		sum += codeWorth + fits/2
	case strings.Contains(b.text, "`"):
		sum += codeWorth / 2
	}
	if a.number != nil && a.number.MatchString(b.text) {
		sum += numberWorth
	}
	if a.code && b.kind == row {
		sum -= rowCost
	}
	return sum
}

const (
	maxWhole = 800   // bytes of a part that is quoted as it is
	maxQuote = 1_100 // bytes of one quotation
	maxList  = 1_600 // bytes of a quotation that consists of steps
)

// quotation returns the block with the context that is needed to understand it.
func (f found) quotation(ts terms) string {
	first, last := f.best, f.best
	if b := f.blocks[f.best]; len(f.part.Text) <= maxWhole && !(b.kind == row && ts.fit(b.key) >= keyFits) {
		return f.text(0, len(f.blocks)-1)
	} else if b.kind == row {
		return f.rows(ts)
	}
	size, most := len(f.blocks[f.best].text), maxQuote
	grow := func(i int) bool {
		if i < 0 || i >= len(f.blocks) || f.blocks[i].kind == row || f.blocks[i].kind == summary ||
			size+len(f.blocks[i].text) > most {
			return false
		}
		size += len(f.blocks[i].text)
		first, last = min(first, i), max(last, i)
		return true
	}
	switch b := f.blocks[f.best]; {
	case b.kind == item: // lists are quoted from their first item, with the paragraph before it
		most = maxList
		for f.blocks[first].kind == item && grow(first-1) {
		}
	case b.kind == fence:
		grow(first - 1)
	}
	if f.headed(ts) {
		for grow(first - 1) { // the part starts with the most relevant text
		}
	}
	for grow(last + 1) {
	}
	for grow(first - 1) {
	}
	return sitereader.Shorten(f.lead(first, ts)+f.text(first, last), 2*maxQuote)
}

// headFits is the minimum share of a heading that must match the question.
const headFits = 0.5

// headed reports whether the part's own heading matches the question.
func (f found) headed(ts terms) bool {
	n := len(f.part.Trail)
	return n > 1 && ts.fit(f.part.Trail[n-1]) >= headFits
}

// lead returns the start of the part, for a quotation that begins with a later block. That is the first paragraph if it
// contains a word of the question or, below a matching heading, the first code block with the adjacent block. It
// returns "" if that is too long.
func (f found) lead(first int, ts terms) string {
	n := 0
	switch b := f.blocks[0]; {
	case first == 0:
		return ""
	case f.headed(ts) && b.kind == fence, f.headed(ts) && b.kind == paragraph && f.blocks[1].kind == fence:
		n = min(2, first)
	case b.kind == paragraph && ts.share(b.have) > 0:
		n = 1
	}
	if out := f.text(0, n-1); out != "" && len(out) <= maxQuote/2 {
		return out + "\n\n"
	}
	return ""
}

// text returns a range of blocks as Markdown.
func (f found) text(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		now := f.blocks[i]
		switch {
		case now.kind == summary && i < last:
			continue
		case now.kind == row && (b.Len() == 0 || f.blocks[i-1].head != now.head):
			b.WriteString("\n\n" + now.head + "\n")
		case i > first && now.kind == f.blocks[i-1].kind && (now.kind == item || now.kind == row):
			b.WriteString("\n")
		default:
			b.WriteString("\n\n")
		}
		b.WriteString(now.text)
	}
	return strings.TrimSpace(b.String())
}

const (
	maxRows = 6
	keyFits = 0.75 // minimum share of a row's first cell that must match the question
)

// rows returns the rows of a table that match the question, with the table's header and the first paragraph of the
// part. It returns all rows of a small table, unless the first cell of the best row matches.
func (f found) rows(ts terms) string {
	best := f.blocks[f.best]
	var all, list []int
	size, keyed, least := 0, ts.fit(best.key) >= keyFits, 0.75*ts.share(best.have)
	for i, b := range f.blocks {
		if b.kind != row || b.head != best.head {
			continue
		}
		all, size = append(all, i), size+len(b.text)
		if i == f.best || !keyed && ts.share(b.have) >= least || keyed && ts.fit(b.key) >= ts.fit(best.key) {
			list = append(list, i)
		}
	}
	switch {
	case !keyed && size <= maxQuote:
		list = all
	case len(list) > maxRows:
		slices.SortStableFunc(list, func(a, b int) int {
			return int(1000*ts.share(f.blocks[b].have)) - int(1000*ts.share(f.blocks[a].have))
		})
		list = list[:maxRows]
		slices.Sort(list)
	}
	out := best.head
	for _, i := range list {
		out += "\n" + f.blocks[i].text
	}
	return f.lead(f.best, ts) + out
}
