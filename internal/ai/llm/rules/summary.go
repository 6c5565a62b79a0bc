package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Limits of the summary.
const (
	maxTitle   = 110  // characters
	maxSummary = 7000 // characters
	maxLines   = 20   // entries of a list
	maxLine    = 200  // characters of a list entry
)

// abilities lists the supported requests, with a wording for each kind.
func abilities() string {
	return "The built-in model is rule-based and understands these requests:\n\n- " + strings.Join(wordings(), "\n- ") +
		"\n\nFor anything else, configure a language model for this server."
}

func wordings() (out []string) {
	for _, a := range Abilities() {
		out = append(out, a.Request)
	}
	return out
}

// nearest returns up to two wordings that share the most words with the prompts. It returns none if no word is shared.
func nearest(prompts []string) (out []string) {
	asked := map[string]bool{}
	for _, p := range prompts {
		for _, w := range contentWords(p) {
			asked[w] = true
		}
	}
	most := 1
	for _, wording := range wordings() {
		shared := 0
		for _, w := range contentWords(wording) {
			if asked[w] {
				shared++
			}
		}
		if shared > most {
			out, most = nil, shared
		}
		if shared == most && len(out) < 2 {
			out = append(out, wording)
		}
	}
	return out
}

// contentWords returns the significant words of a text, without plural endings.
func contentWords(text string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if w = strings.TrimSuffix(w, "s"); len(w) > 2 && !slices.Contains(lightWords, w) {
			out = append(out, w)
		}
	}
	return out
}

var lightWords = []string{"add", "all", "and", "the", "with", "which", "from", "for", "our", "page", "doc", "old", "new", "mdx",
	"start", "guide", "install", "foo", "bar", "put", "set"}

// doing describes a task as in a title.
func doing(t maintain.Task) string {
	where := ""
	if len(t.Files) > 0 {
		where = " in " + strings.Join(t.Files, ", ")
	}
	switch t.Kind {
	case maintain.MovePages:
		var names []string
		for _, m := range t.Moves {
			names = append(names, m.From+" to "+m.To)
		}
		return "Move " + strings.Join(names, ", ")
	case maintain.DeletePages:
		var names []string
		for _, m := range t.Moves {
			names = append(names, m.From)
		}
		return "Delete " + strings.Join(names, ", ")
	case maintain.FixLinks:
		if len(t.Moves) > 0 {
			return "Point links to " + t.Moves[0].From + " to " + t.Moves[0].To + where
		}
		return "Fix broken links" + where
	case maintain.Changelog:
		return "Add a changelog entry"
	case maintain.Unlist:
		return "Remove " + strings.Join(t.Files, ", ") + " from the navigation"
	case maintain.Redirects:
		return "Add redirects"
	case maintain.NoRedirects:
		return "Remove the redirect from " + strings.Join(t.Files, ", ")
	case maintain.RenameGroup:
		return "Rename the group " + t.From + " to " + t.To
	case maintain.Descriptions:
		if t.Text != "" {
			return "Set the description of " + t.Files[0]
		}
		return "Add missing descriptions" + where
	case maintain.AltText:
		return "Add alt text to images" + where
	case maintain.Format:
		if len(t.Files) > 0 {
			return "Format " + strings.Join(t.Files, ", ")
		}
		return "Format pages"
	case maintain.Version:
		return "Bump version " + t.From + " to " + t.To + where
	case maintain.Term:
		return "Rename " + t.From + " to " + t.To + where
	case maintain.Navigation:
		if t.After+t.Before != "" {
			return "Place " + t.Files[0] + " in the navigation"
		}
		return "Add pages to the navigation"
	}
	return string(t.Kind)
}

// ending returns the title and the summary of the round.
func (r *round) ending(tools map[string]bool) (title, summary string) {
	var names []string
	var b strings.Builder
	for _, t := range r.tasks {
		changed := false
		for _, s := range r.made {
			if s.Name == maintainTool && s.known && sameTask(s.Input, t) {
				changed = report(&b, t, s)
			}
		}
		if changed {
			names = append(names, doing(t))
		}
	}
	if text := r.verdict(); text != "" && len(names) > 0 {
		b.WriteString(text + "\n\n")
	}
	switch {
	case len(r.prompts) == 0:
		b.WriteString("The built-in model is rule-based and cannot fix what its changes broke.")
	case r.bounded != "":
		b.WriteString(
			"Nothing was changed, because the built-in model does not understand this restriction in the task:\n\n")
		fmt.Fprintf(&b, "- %s\n\n%s", code(r.bounded), abilities())
	case len(r.tasks) > 0 && !tools[maintainTool]:
		b.WriteString("Nothing was changed, because the tool for these chores is not available here.")
	case len(r.unclear) > 0 || r.empty():
		r.notUnderstood(&b)
	case r.refused && len(r.tasks)+len(r.asks) == 0 && r.offer == nil:
		b.WriteString("Nothing was changed, as you answered.")
	}
	r.questions(&b)
	if r.confirmed && r.outcome() == agentjob.NeedsAnswer {
		b.WriteString("\n\nNothing fits this reading. Please say in other words what should be changed, and where.")
	}
	if r.offer != nil && r.bounded == "" {
		b.WriteString("\n\n" + r.offer.text())
	}
	title = clip.Words(joinNames(names), maxTitle)
	switch r.outcome() {
	case agentjob.NotUnderstood:
		if len(r.prompts) > 0 {
			title = "Not understood"
		}
	case agentjob.NeedsAnswer:
		title = "Needs an answer"
	}
	return title, cut(strings.TrimSpace(b.String()))
}

// outcome returns the outcome of the round.
func (r *round) outcome() agentjob.Outcome {
	open := false // something is left for people to decide
	for _, s := range r.made {
		if s.Name == maintainTool {
			parsed, _ := maintain.ReadReport(s.result.Text)
			open = open || s.result.Failed || len(parsed.Left) > 0
		}
	}
	switch {
	case r.changed():
		return agentjob.Changed
	case r.offer != nil && r.bounded == "":
		return agentjob.NeedsAnswer
	case r.bounded != "" || len(r.unclear) > 0 || r.empty():
		return agentjob.NotUnderstood
	case open || len(r.asks) > 0 || r.confirmed:
		return agentjob.NeedsAnswer // the guess changed nothing, so something else was meant
	}
	return agentjob.NothingToDo
}

// empty reports whether the prompts contain no request.
func (r *round) empty() bool {
	return len(r.tasks)+len(r.asks) == 0 && r.offer == nil && !r.refused
}

// questions writes the open questions, with example requests that answer them.
func (r *round) questions(b *strings.Builder) {
	list := slices.Clone(r.asks)
	for _, s := range r.made {
		parsed, _ := maintain.ReadReport(s.result.Text)
		if s.Name != maintainTool || !s.result.Failed && (len(parsed.Left) == 0 || len(parsed.Changed) > 0) {
			continue
		}
		if t, err := maintain.Parse(s.Input); err == nil {
			list = append(list, questionFor(t))
		}
	}
	if len(list) == 0 || r.bounded != "" {
		return
	}
	slices.Sort(list)
	b.WriteString("\n\nPlease answer with a whole request:\n\n- " + strings.Join(slices.Compact(list), "\n- "))
}

// questionFor returns the question that a task leaves open if it could not be done.
func questionFor(t maintain.Task) string {
	switch t.Kind {
	case maintain.FixLinks:
		return "Which page should these links lead to? Write for example: `point links to /old to /new`."
	case maintain.MovePages:
		return "Which page, and what is its new path? Write for example: `move guides/start.mdx to start/install.mdx`."
	case maintain.DeletePages:
		return "Which page should be deleted, and where should its readers go? Write for example: " +
			"`delete guides/old.mdx and redirect it to guides/new`."
	case maintain.Redirects:
		return "Which page should the redirect lead to? Write for example: `add a redirect from /old to /new`."
	case maintain.Changelog:
		return "Which file is the changelog? Create one first, or name it: `add a changelog entry in docs/changelog.mdx: …`."
	}
	return "Which page is meant, or should these places be changed by hand? Name pages by path, such as `guides/start.mdx`."
}

// notUnderstood writes which parts of the prompt were ignored.
func (r *round) notUnderstood(b *strings.Builder) {
	if len(r.tasks) == 0 {
		b.WriteString("Nothing was changed, because the built-in model does not understand this request.\n\n")
		if list := nearest(r.prompts); len(list) > 0 {
			b.WriteString("Did you mean one of these?\n\n- " + strings.Join(list, "\n- ") + "\n\n")
		}
		b.WriteString(abilities())
		return
	}
	b.WriteString("Not understood and not done:\n\n")
	for i, u := range r.unclear {
		if i == maxLines {
			fmt.Fprintf(b, "- and %d more\n", len(r.unclear)-i)
			break
		}
		b.WriteString("- " + code(u) + "\n")
	}
	b.WriteString("\n" + abilities())
}

// report describes the result of a task, and returns whether it changed anything. Text from the folder is put in
// backticks, because it is untrusted.
func report(b *strings.Builder, t maintain.Task, s step) (changed bool) {
	fmt.Fprintf(b, "**%s**\n\n", strings.ReplaceAll(doing(t), "*", ""))
	parsed, ok := maintain.ReadReport(s.result.Text)
	switch {
	case s.result.Failed:
		b.WriteString("This could not be done: " + code(s.result.Text) + "\n\n")
		return false
	case !ok:
		b.WriteString("Done.\n\n")
		return true
	case len(parsed.Changed) == 0 && len(parsed.Left) == 0:
		b.WriteString("There was nothing to do.\n\n")
	case len(parsed.Changed) == 0:
		b.WriteString("Nothing was changed.\n\n")
	}
	if len(parsed.Changed) == 0 {
		list(b, "Found:", parsed.Done)
	} else {
		list(b, fmt.Sprintf("Changed in %s:", count(parsed.Changed, "file")), parsed.Done)
	}
	list(b, "Not changed; please check:", parsed.Left)
	return len(parsed.Changed) > 0
}

func list(b *strings.Builder, head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString(head + "\n\n")
	for i, l := range lines {
		if i == maxLines {
			b.WriteString("- and more\n")
			break
		}
		b.WriteString("- " + code(l) + "\n")
	}
	b.WriteString("\n")
}

func count(list []string, noun string) string {
	if len(list) == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", len(list), noun)
}

// verdict returns the result of the last check as a sentence.
func (r *round) verdict() string {
	for i := len(r.made) - 1; i >= 0; i-- {
		s := r.made[i]
		if s.Name != checkTool || !s.known {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimSpace(s.result.Text), "\n")
		return "Check: " + code(first)
	}
	return ""
}

// joinNames combines several task names into one title.
func joinNames(names []string) string {
	if len(names) == 0 {
		return "Nothing to change"
	}
	out := names[0]
	for i, n := range names[1:] {
		join := ", "
		if i == len(names)-2 {
			join = " and "
		}
		out += join + strings.ToLower(n[:1]) + n[1:]
	}
	return out
}

// code puts a text between backticks on one line, so that nothing in it is parsed as markup or a mention.
func code(s string) string {
	s = clip.Words(strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "'")), " "), maxLine)
	if s == "" {
		return "–"
	}
	return "`" + s + "`"
}

// cut ends a summary at a line when it is too long.
func cut(s string) string {
	r := []rune(s)
	if len(r) <= maxSummary {
		return s
	}
	s = string(r[:maxSummary])
	return s[:strings.LastIndexByte(s, '\n')+1] + "\nand more"
}
