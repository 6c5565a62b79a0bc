package proposal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Message combines the unresolved comments into one message to the agent, and returns their number n. The quoted lines
// are returned separately: anyone may have written them, whereas the agent obeys the message. text and quotes together
// have at most most characters.
func Message(list []Comment, most int) (text, quotes string, n int) {
	const begin = "Change the files as these comments on your proposal ask.\n"
	const end = "\nThere are more comments, which did not fit into this message.\n"
	var said, about strings.Builder
	said.WriteString(begin)
	left := most - utf8.RuneCountInString(begin+end)
	for _, c := range list {
		if c.Resolved() {
			continue
		}
		one, quote := c.message(), c.place()+":\n> "+strings.ReplaceAll(c.Quote, "\n", "\n> ")+"\n"
		if left -= utf8.RuneCountInString(one) + utf8.RuneCountInString(quote); left < 0 {
			said.WriteString(end)
			break
		}
		said.WriteString(one)
		about.WriteString(quote)
		n++
	}
	return said.String(), about.String(), n
}

// place describes the lines that the comment refers to.
func (c Comment) place() string {
	lines := fmt.Sprintf("line %d", c.Line)
	if c.Last > c.Line {
		lines = fmt.Sprintf("lines %d to %d", c.Line, c.Last)
	}
	if c.Side == Old {
		lines += " before your change"
	}
	return c.File + ", " + lines
}

func (c Comment) message() string {
	var b strings.Builder
	b.WriteString("\n" + c.place() + ":\n")
	if c.Body != "" {
		b.WriteString(c.Body + "\n")
	}
	switch {
	case c.Suggests && c.Suggestion == "":
		b.WriteString("Remove these lines.\n")
	case c.Suggests:
		b.WriteString("Write instead:\n" + strings.TrimSuffix(plainLines(c.Suggestion), "\n") + "\n")
	}
	return b.String()
}
