package jsx

// Input is text that may grow.
type Input interface {
	// Text is what is known so far. It only ever grows: offsets stay valid.
	Text() string
	// More adds a line break and the next line. It returns false, and adds nothing, when the block ends here.
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
	At      int    // offset into the text; its length when the text ended too early
	Message string // a sentence without a full stop
	Hint    string // what to write instead, without a full stop; may be ""
	EOF     bool   // the text ended too early
	Sure    bool   // what was read so far can only be meant as a tag
}

// Error implements error.
func (e *Error) Error() string { return e.Message }
