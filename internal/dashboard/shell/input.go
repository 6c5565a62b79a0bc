package shell

import "strings"

// Input is a labelled field of a form, see the template of that name.
type Input struct {
	Name, Label string
	Value       string // what the person typed, or what is stored
	Hint        string
	Error       string // what is wrong with Value; "" = nothing
	Placeholder string
	Rows        int  // of a text of several lines; 0 = one line
	Required    bool // browsers ask for it
	Plain       bool // no word of a language: not to be corrected or capitalised
}

// Described names what screen readers say beside the label.
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

// FieldError returns the message about a field of a form, "" if there is none; e may be nil.
func (e *PageError) FieldError(field string) string {
	if e == nil {
		return ""
	}
	return e.Fields[field]
}

// Lines returns the lines of a text that hold something.
func Lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); s != "" {
			out = append(out, s)
		}
	}
	return out
}
