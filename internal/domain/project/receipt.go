package project

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Receipt is a place of a product repository that a page relies on.
type Receipt struct {
	ID        string
	ProductID string
	Product   string // name of the product repository
	JobID     string // the agent job that cited it
	Page      string // path in the docs folder
	Path      string // in the product repository
	Line      int    // first line of the quotation, from 1
	Commit    string // at which the quotation was found last
	Quotation string
	StaleAt   *time.Time // when it was no longer there; nil = it is
	CreatedAt time.Time
}

// Limits of receipts.
const (
	MaxReceipts  = 100  // of a round
	MaxQuotation = 2000 // characters
)

// Find returns the line at which a file has the quotation, the one nearest to the receipt's own; 0 = it does not have it.
// Lines count as equal whatever space is at their ends, because models drop it.
func (r Receipt) Find(file []byte) int {
	if !utf8.Valid(file) {
		return 0
	}
	want, have := trimLines(strings.Trim(r.Quotation, "\r\n")), trimLines(string(file))
	best := 0
	for i := 0; i+len(want) <= len(have); i++ {
		if equal(want, have[i:i+len(want)]) && (best == 0 || distance(i+1, r.Line) < distance(best, r.Line)) {
			best = i + 1
		}
	}
	return best
}

func trimLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

// equal reports whether each wanted line is, or the only one is part of, a line of the file.
func equal(want, have []string) bool {
	if len(want) == 1 {
		return want[0] != "" && strings.Contains(have[0], want[0])
	}
	for i := range want {
		if want[i] != have[i] {
			return false
		}
	}
	return true
}

func distance(a, b int) int { return max(a-b, b-a) }
