package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// pagesOfAllKinds picks pages, given as file names in an exported folder, so that every kind of element occurs on a
// picked page. Each pick adds the most kinds still missing, so the first few pages cover most kinds. With -every, it
// returns all pages.
func pagesOfAllKinds(t *testing.T, dir string, pages []string) (picked []string) {
	t.Helper()
	if *every {
		return pages
	}
	missing, rest := map[string]map[string]bool{}, slices.Sorted(slices.Values(pages))
	for _, page := range rest {
		missing[page] = elementKinds(t, filepath.Join(dir, filepath.FromSlash(page)))
	}
	for {
		best := slices.MaxFunc(rest, func(a, b string) int { return len(missing[a]) - len(missing[b]) })
		found := missing[best]
		if len(found) == 0 {
			return picked
		}
		picked = append(picked, best)
		delete(missing, best)
		rest = slices.DeleteFunc(rest, func(page string) bool { return page == best })
		for _, kinds := range missing {
			for kind := range found {
				delete(kinds, kind)
			}
		}
	}
}

// elementKinds returns the kinds of the elements in an HTML file. Elements are of the same kind if their names,
// classes, roles, types and the names of their other attributes are the same.
func elementKinds(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for z := html.NewTokenizer(bytes.NewReader(text)); z.Next() != html.ErrorToken; {
		e := z.Token()
		if e.Type != html.StartTagToken && e.Type != html.SelfClosingTagToken {
			continue
		}
		kind := []string{}
		for _, a := range e.Attr {
			switch a.Key {
			case "class", "role", "type":
				kind = append(kind, a.Key+"="+a.Val)
			default:
				kind = append(kind, a.Key)
			}
		}
		slices.Sort(kind)
		kinds[e.Data+" "+strings.Join(kind, " ")] = true
	}
	return kinds
}
