package searchquality

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
)

// Question is a reader's query, and the pages that answer it, as chosen by people who read the pages.
type Question struct {
	Text   string
	Pages  []string
	Tuning bool // the ranking may be tuned with it, even if its text puts it in the other half
}

// ParseQuestions parses questions, one per line: the text, " => ", and the paths of pages separated by spaces. It
// skips empty lines and those that begin with #.
func ParseQuestions(file string) (out []Question, err error) {
	n := 0
	for line := range strings.Lines(file) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		text, pages, ok := strings.Cut(line, " => ")
		q := Question{Text: strings.TrimSpace(text), Pages: strings.Fields(pages)}
		if !ok || q.Text == "" || len(q.Pages) == 0 {
			return nil, fmt.Errorf("line %d: want a question, \" => \" and pages, got %q", n, line)
		}
		for _, other := range out {
			if other.Text == q.Text {
				return nil, fmt.Errorf("line %d: the question %q appears twice", n, q.Text)
			}
		}
		out = append(out, q)
	}
	return out, nil
}

// KeptApart reports whether a question belongs to the half that is never used to tune the ranking.
func (q Question) KeptApart() bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(q.Text)) // never fails
	return !q.Tuning && h.Sum32()>>8&1 == 1
}

// Judged holds the results for questions with human judgements.
type Judged struct {
	First  Share // a page that answers the question comes first
	Three  Share // such a page is among the first three
	Misses []Miss
}

// Judge asks questions as a new visitor would. A question whose page is excluded from search is an error, because
// it would count against the ranking.
func (s *Site) Judge(ctx context.Context, questions []Question) (tuning, apart Judged, err error) {
	for _, q := range questions {
		for _, p := range q.Pages {
			if !s.is(p, func(page) bool { return true }) {
				return tuning, apart, fmt.Errorf("question %q: the site lists no page %q", q.Text, p)
			}
		}
		found, err := s.search(ctx, q.Text, s.home)
		if err != nil {
			return tuning, apart, err
		}
		at := rank(found, func(path string) bool {
			return strings.Contains(" "+strings.Join(q.Pages, " ")+" ", " "+path+" ")
		})
		half := &tuning
		if q.KeptApart() {
			half = &apart
		}
		half.First.add(at == 1)
		half.Three.add(at > 0 && at <= 3)
		if at != 1 {
			half.Misses = append(half.Misses, miss(q.Text, q.Pages[0], at, found))
		}
	}
	return tuning, apart, nil
}
