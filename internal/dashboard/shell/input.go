package shell

import "strings"

// Input is a labeled form field, see the template of that name.
type Input struct {
	Name, Label string
	Value       string // the user's input, or the stored value
	Hint        string
	Error       string // error in Value; "" = none
	Placeholder string
	Rows        int  // rows of a multi-line field; 0 = one line
	Required    bool // enforced by browsers
	Plain       bool // not natural language: no spelling correction or capitalization
}

// Described returns the ids of the elements that screen readers read with the label.
func (i Input) Described() string {
	var ids []string
	if i.Hint != "" {
		ids = append(ids, "f-"+i.Name+"-hint")
	}
	if i.Error != "" {
		ids = append(ids, "f-"+i.Name+"-error")
	}
	return strings.Join(ids, " ")
}

// FieldError returns the error of a form field, or ""; e may be nil.
func (e *PageError) FieldError(field string) string {
	if e == nil {
		return ""
	}
	return e.Fields[field]
}

// Lines returns the lines of text that are not blank.
func Lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); s != "" {
			out = append(out, s)
		}
	}
	return out
}
