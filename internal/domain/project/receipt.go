package project

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Receipt is a place of a product repository that a page relies on.
type Receipt struct {
	ID        string
	ProductID string
	Product   string // name of the product repository
	JobID     string // the agent job that cited it
	Page      string // path in the docs folder
	Sentence  string // of the page, that the code is the source of; "" = the agent named none
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
	MaxSentence  = 500  // characters
)

// ReceiptState says whether the code is still there.
type ReceiptState string

// The states.
const (
	ReceiptCurrent ReceiptState = "current"
	ReceiptStale   ReceiptState = "stale" // people have not looked at the page since, as far as the server knows
)

// ParseReceiptState reads a state; "" = whatever it is.
func ParseReceiptState(s string) (ReceiptState, error) {
	switch state := ReceiptState(s); state {
	case "", ReceiptCurrent, ReceiptStale:
		return state, nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "state must be current or stale.").WithField("state")
}

// UnknownReceipt is the answer for a receipt that the project does not have.
func UnknownReceipt() error {
	return fault.New(fault.NotFound, "unknown_receipt", "Receipt not found.")
}

// State returns whether the code was there when it was looked at last.
func (r Receipt) State() ReceiptState {
	if r.StaleAt != nil {
		return ReceiptStale
	}
	return ReceiptCurrent
}

// LastLine returns the last line of the quotation.
func (r Receipt) LastLine() int { return r.Line + len(r.lines()) - 1 }

// InPage reports whether a page has the receipt's sentence, however its lines are broken.
func (r Receipt) InPage(text []byte) bool {
	return strings.Contains(oneLine(string(text)), oneLine(r.Sentence))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lines returns the quotation as it is looked for.
func (r Receipt) lines() []string { return trimLines(strings.Trim(r.Quotation, "\r\n")) }

// Find returns the line at which a file has the quotation, the one nearest to the receipt's own; 0 = it does not have it.
// Lines count as equal whatever space is at their ends, because models drop it.
func (r Receipt) Find(file []byte) int {
	if !utf8.Valid(file) {
		return 0
	}
	want, have := r.lines(), trimLines(string(file))
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
