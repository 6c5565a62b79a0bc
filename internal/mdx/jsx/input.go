package jsx

// Input is text that may grow.
type Input interface {
	// Text returns the text so far. It only grows, so offsets stay valid.
	Text() string
	// More appends a line break and the next line. If the block ends here, it returns false and appends nothing.
	More() bool
}

// Fixed is an Input that does not grow.
type Fixed string

// Text implements Input.
func (f Fixed) Text() string { return string(f) }

// More implements Input.
func (Fixed) More() bool { return false }

// Error is a syntax error in a tag or an expression.
type Error struct {
	At      int    // offset into the text; equal to its length if the text ended too early
	Message string // a sentence without a full stop
	Hint    string // what to write instead, without a full stop; may be ""
	EOF     bool   // the text ended too early
	Sure    bool   // the input so far can only be meant as a tag
}

// Error implements error.
func (e *Error) Error() string { return e.Message }
