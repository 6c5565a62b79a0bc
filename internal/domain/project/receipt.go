package project

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Receipt is a location in a product repository that a page relies on.
type Receipt struct {
	ID        string
	ProductID string
	Product   string // name of the product repository
	JobID     string // the agent job that cited it
	Page      string // path in the docs folder
	Sentence  string // sentence of the page that is based on the code; "" = the agent gave none
	Path      string // in the product repository
	Line      int    // first line of the quotation, starting at 1
	Commit    string // latest commit that contains the quotation
	Quotation string
	StaleAt   *time.Time // when the quotation was no longer found; nil = it is current
	CreatedAt time.Time
}

// Limits of receipts.
const (
	MaxReceipts  = 100  // per round
	MaxQuotation = 2000 // characters
	MaxSentence  = 500  // characters
)

// ReceiptState says whether the code still exists.
type ReceiptState string

// The states.
const (
	ReceiptCurrent ReceiptState = "current"
	ReceiptStale   ReceiptState = "stale" // the code has changed, and nobody has reviewed the page since then
)

// ParseReceiptState parses a state; "" = any state.
func ParseReceiptState(s string) (ReceiptState, error) {
	switch state := ReceiptState(s); state {
	case "", ReceiptCurrent, ReceiptStale:
		return state, nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "state must be current or stale.").WithField("state")
}

// UnknownReceipt returns the fault for a receipt that the project does not have.
func UnknownReceipt() error {
	return fault.New(fault.NotFound, "unknown_receipt", "Receipt not found.")
}

// State returns whether the latest check found the code.
func (r Receipt) State() ReceiptState {
	if r.StaleAt != nil {
		return ReceiptStale
	}
	return ReceiptCurrent
}

// LastLine returns the last line of the quotation.
func (r Receipt) LastLine() int { return r.Line + len(r.lines()) - 1 }

// InPage reports whether a page contains the receipt's sentence, ignoring line breaks.
func (r Receipt) InPage(text []byte) bool {
	return strings.Contains(oneLine(string(text)), oneLine(r.Sentence))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lines returns the quotation's lines in the form used for comparison.
func (r Receipt) lines() []string { return trimLines(strings.Trim(r.Quotation, "\r\n")) }

// Find returns the line where a file contains the quotation, or 0 if it does not. Of several matches, it returns the
// one nearest to the receipt's own line. White space at the ends of lines is ignored, because models drop it.
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

// equal reports whether the wanted lines equal lines of the file. A single wanted line only has to be part of a line.
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
