package rules

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// inOtherWords ends every proposal. A summary without it contains no proposal.
const inOtherWords = "or say it in other words."

// Proposes reports whether a summary of this model contains a proposal, which a message can confirm.
func Proposes(summary string) bool {
	return strings.Contains(summary, inOtherWords)
}

// text asks the person whether the proposal is what they meant.
func (p proposal) text() string {
	var b strings.Builder
	if len(p.choices) == 1 {
		b.WriteString("I read this as:\n\n")
		for _, t := range p.choices[0] {
			b.WriteString("- " + reads(t) + "\n")
		}
	} else {
		b.WriteString("This can be read in more than one way:\n\n")
		for i, tasks := range p.choices {
			var all []string
			for _, t := range tasks {
				all = append(all, reads(t))
			}
			fmt.Fprintf(&b, "%d. %s\n", i+1, strings.Join(all, "; "))
		}
	}
	if len(p.out) > 0 {
		b.WriteString("\nNot part of it:\n\n")
		for i, s := range p.out {
			if i == maxLines {
				fmt.Fprintf(&b, "- and %d more\n", len(p.out)-i)
				break
			}
			b.WriteString("- " + code(s) + "\n")
		}
	}
	answers := "`yes` to do it"
	if n := len(p.choices); n > 1 {
		answers = "`1`"
		for i := 2; i <= n; i++ {
			if i == n {
				answers += fmt.Sprintf(" or `%d`", i)
			} else {
				answers += fmt.Sprintf(", `%d`", i)
			}
		}
	}
	return b.String() + "\nAnswer " + answers + ", " + inOtherWords
}

// reads describes a task as part of a sentence.
func reads(t maintain.Task) string {
	where := ""
	if len(t.Files) > 0 {
		where = " in " + codes(t.Files)
	}
	var names []string
	for _, m := range t.Moves {
		if m.To != "" && t.Kind != maintain.DeletePages {
			names = append(names, code(m.From)+" to "+code(m.To))
		} else {
			names = append(names, code(m.From))
		}
	}
	moves := strings.Join(names, ", ")
	switch t.Kind {
	case maintain.MovePages:
		return "move " + moves + ", with links, navigation and a redirect"
	case maintain.DeletePages:
		if to := t.Moves[0].To; to != "" {
			return "delete " + moves + "; links and the old address lead to " + code(to)
		}
		return "delete " + moves + ", without a redirect"
	case maintain.FixLinks:
		if len(t.Moves) > 0 {
			return "point links to " + moves + where
		}
		return "fix broken links" + orEverywhere(where)
	case maintain.Changelog:
		if t.To != "" {
			return "add to the changelog for " + code(t.To) + ": " + code(t.Text)
		}
		return "add to the changelog: " + code(t.Text)
	case maintain.Unlist:
		return "remove " + codes(t.Files) + " from the navigation, and keep the page"
	case maintain.Redirects:
		return "redirect " + moves
	case maintain.NoRedirects:
		return "remove the redirect from " + codes(t.Files)
	case maintain.RenameGroup:
		return "rename the navigation group " + code(t.From) + " to " + code(t.To)
	case maintain.Descriptions:
		if t.Text != "" {
			return "set the description of " + codes(t.Files) + " to " + code(t.Text)
		}
		return "add missing descriptions, made from headings," + orEverywhere(where)
	case maintain.AltText:
		if t.Text == "" {
			return "add missing alt text, made from file names," + orEverywhere(where)
		}
		if t.From != "" {
			return "set the alt text of " + code(t.From) + where + " to " + code(t.Text)
		}
		return "set the alt text of the image" + where + " to " + code(t.Text)
	case maintain.Format:
		if where == "" {
			return "format all pages"
		}
		return "format " + codes(t.Files)
	case maintain.Version:
		return "replace version " + code(t.From) + " with " + code(t.To) + orEverywhere(where) + ", except in changelogs"
	case maintain.Term:
		return "replace " + code(t.From) + " with " + code(t.To) + " in text, not in code," + orEverywhere(where)
	case maintain.Navigation:
		switch {
		case t.After != "":
			return "put " + codes(t.Files) + " after " + code(t.After) + " in the navigation"
		case t.Before != "":
			return "put " + codes(t.Files) + " before " + code(t.Before) + " in the navigation"
		case where == "":
			return "add all pages to the navigation that are not in it"
		}
		return "add " + codes(t.Files) + " to the navigation"
	}
	return doing(t)
}

func orEverywhere(where string) string {
	if where == "" {
		return " on all pages"
	}
	return where
}

func codes(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, code(n))
	}
	return strings.Join(out, ", ")
}

// reply is how a message responds to a proposal.
type reply int

const (
	noReply reply = iota // a new request
	agreed
	declined
)

const courtesy = `please|pls|thanks|thank you|thx|cheers|that's|that is|it's|it is|do|it|that|so|this|exactly|correct|right` +
	`|what i meant|what i mean|what i want|i do|sure|yes|ok|okay|great|perfect|good|fine|go|ahead|now|then|just|indeed` +
	`|absolutely|definitely|of course|well`

var (
	yes = lazyregexp.New(`^(?:yes|yep|yeah|yup|y|ok|okay|k|sure|correct|right|exactly|agreed|do it|do that|do so|do this|please do` +
		`|go ahead|go for it|go on|sounds good|looks good|lgtm|perfect|great|fine|good|that's right|that is right|that's it` +
		`|that's what i meant|confirm|confirmed|proceed|make it so|works for me|absolutely|definitely|of course|indeed|ship it)` +
		`(?:[ ,.!]+(?:` + courtesy + `|do it|go ahead|go for it|proceed))*[ .!]*$`)
	no = lazyregexp.New(`^(?:no|nope|nah|n|don't|dont|do not|stop|cancel|abort|never ?mind|forget it|forget that|leave it|not that|not this` +
		`|not now|wrong|incorrect|neither|none|none of them)` +
		`(?:[ ,.!]+(?:no|thanks|thank you|please|do it|don't|do not|do that|leave it|as it is|as is|forget it|stop|that's|that is` +
		`|it's|not|it|what i meant|what i want|wrong|right|of them|of these|sorry|cancel|never ?mind))*[ .!]*$`)
	number = lazyregexp.New(`^(?:(?:yes|ok|okay|please|take|do|use|choose|pick|go with|i mean|i meant|option|choice|number|no\.|nr\.?|the` +
		`|variant|reading|#)[ ,]*)*(1|2|3|one|two|three|first|second|third|1st|2nd|3rd)[.)]?` +
		`(?: (?:one|option|choice|reading|please|thanks|thank you))*[ .!]*$`)
	ordinals = map[string]int{"1": 0, "one": 0, "first": 0, "1st": 0, "2": 1, "two": 1, "second": 1, "2nd": 1, "3": 2, "three": 2,
		"third": 2, "3rd": 2}
)

// replyTo parses a message as a response to a proposal. choice is the chosen reading, or -1 if the message does not say
// which one.
func replyTo(message string, p proposal) (r reply, choice int) {
	text := strings.ToLower(strings.Join(strings.Fields(straight.Replace(message)), " "))
	text = strings.NewReplacer("`", "", `"`, "").Replace(text)
	if m := number.FindStringSubmatch(text); m != nil {
		if n := ordinals[m[1]]; n < len(p.choices) {
			return agreed, n
		}
		return noReply, 0
	}
	switch {
	case yes.MatchString(text):
		if len(p.choices) > 1 {
			return agreed, -1
		}
		return agreed, 0
	case no.MatchString(text):
		return declined, 0
	}
	return noReply, 0
}

// worthLooking reports whether the loose reading may find something in a prompt.
func worthLooking(prompt string) bool { return len(prompt) <= maxLoose && !isWriting(prompt) }

// isWriting reports whether a prompt asks for text.
func isWriting(prompt string) bool {
	prompt = apostrophes.ReplaceAllString(straight.Replace(prompt), "$1\"$2\"$3")
	return writing.MatchString(namesIn.ReplaceAllString(prompt, `""`))
}

var namesIn = lazyregexp.New("`[^`]+`|\"[^\"]+\"|" + `\S*/\S*|\S+\.mdx?\b`)
