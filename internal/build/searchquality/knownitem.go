package searchquality

import (
	"context"
	"strings"
	"unicode"
)

// Share counts the answered questions.
type Share struct{ Good, All int }

// Percent returns the percentage of answered questions, or 100 if there were none.
func (s Share) Percent() float64 {
	if s.All == 0 {
		return 100
	}
	return 100 * float64(s.Good) / float64(s.All)
}

func (s *Share) add(good bool) {
	if s.All++; good {
		s.Good++
	}
}

// Miss is a question whose page was not found at the required rank.
type Miss struct {
	Text  string
	Want  string // one of the pages that answer it
	Rank  int    // of the best of them; 0 = not found
	First string // the first page found; "" = none
}

// Known holds the results of a known-item search: a reader looks for a page that they have seen before.
type Known struct {
	Pages       int
	Title       Share // the page comes first for its title
	Sidebar     Share // the page comes first for its title in the sidebar, where that differs
	Description Share // the page is among the first three for the first five words of its description
	Misses      []Miss
}

// KnownItems searches for every page by its own names. Pages with the same name count as one item: any of them is
// correct.
func (s *Site) KnownItems(ctx context.Context) (k Known, err error) {
	if len(s.pages) == 0 {
		return k, errNoPages
	}
	k.Pages = len(s.pages)
	asked := map[string]bool{}
	for _, p := range s.pages {
		titled := func(q page) bool { return same(q.Title, p.Title) }
		named := func(q page) bool { return same(q.Title, p.SidebarTitle) || same(q.SidebarTitle, p.SidebarTitle) }
		for _, question := range []struct {
			kind, text string
			wanted     func(page) bool
			within     int
			share      *Share
		}{
			{"title", p.Title, titled, 1, &k.Title},
			{"sidebar", sidebarName(p), named, 1, &k.Sidebar},
			{"description", gist(p.Description), titled, 3, &k.Description},
		} {
			key := strings.Join([]string{question.kind, p.at.version, strings.ToLower(question.text)}, "\x00")
			if question.text == "" || asked[key] {
				continue
			}
			asked[key] = true
			found, err := s.search(ctx, question.text, p.at)
			if err != nil {
				return k, err
			}
			at := rank(found, func(path string) bool { return s.is(path, question.wanted) })
			good := at > 0 && at <= question.within
			if question.share.add(good); !good {
				k.Misses = append(k.Misses, miss(question.kind+": "+question.text, p.Path, at, found))
			}
		}
	}
	return k, nil
}

// is reports whether path belongs to a wanted page.
func (s *Site) is(path string, wanted func(page) bool) bool {
	for _, p := range s.pages {
		if p.Path == path {
			return wanted(p)
		}
	}
	return false
}

// Listed returns the paths of the searchable pages, in the order of the navigation.
func (s *Site) Listed() []string {
	out := make([]string, len(s.pages))
	for i, p := range s.pages {
		out[i] = p.Path
	}
	return out
}

// Item is a title and the searchable pages that have it.
type Item struct {
	Title string
	Pages []string
}

// Items returns at most n titles of pages. The pages are evenly distributed over the navigation of the version that a
// new reader sees.
func (s *Site) Items(n int) (out []Item) {
	var pages []page
	for _, p := range s.pages {
		if p.at.version == "" || p.at.version == s.home.version {
			pages = append(pages, p)
		}
	}
	n = min(n, len(pages))
	for i := range n {
		item := Item{Title: pages[i*len(pages)/n].Title}
		for _, p := range pages {
			if same(p.Title, item.Title) {
				item.Pages = append(item.Pages, p.Path)
			}
		}
		out = append(out, item)
	}
	return out
}

// TitleRank searches for the i-th listed page by its title and returns its rank among the results, from 1, or 0 if
// it is not found. first is the path of the best result. Another page with the same title counts as well.
func (s *Site) TitleRank(ctx context.Context, i int) (rank int, first string, err error) {
	p := s.pages[i]
	found, err := s.search(ctx, p.Title, p.at)
	if err != nil || len(found) == 0 {
		return 0, "", err
	}
	for at, path := range found {
		if path == p.Path || s.is(path, func(q page) bool { return same(q.Title, p.Title) }) {
			return at + 1, found[0], nil
		}
	}
	return 0, found[0], nil
}

func sidebarName(p page) string {
	if same(p.SidebarTitle, p.Title) {
		return ""
	}
	return p.SidebarTitle
}

func miss(text, want string, at int, found []string) Miss {
	m := Miss{Text: text, Want: want, Rank: at}
	if len(found) > 0 {
		m.First = found[0]
	}
	return m
}

// fillers are words that readers leave out.
const fillers = " a an the of to and or in on for with your you how is are be by from this that it as at into using use " +
	"what when can learn guide "

// gist returns the first five content words of a description, or "" if it has fewer than three.
func gist(description string) string {
	var words []string
	for _, w := range strings.FieldsFunc(description, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '-'
	}) {
		if !strings.Contains(fillers, " "+strings.ToLower(w)+" ") && len(words) < 5 {
			words = append(words, w)
		}
	}
	if len(words) < 3 {
		return ""
	}
	return strings.Join(words, " ")
}
