package jobpage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
)

// callView is a tool call by the model, with its input.
type callView struct {
	ID       string // id of the HTML element
	Name     string
	About    string          // main argument: a path, a question
	Note     string          // prose: a plan, a summary
	Diff     *diffview.Lines // the change it makes; nil = cannot be shown as a change
	Input    excerpt         // raw input, unless it is already shown above
	Ran      bool            // whether there is a result
	Failed   bool
	Result   excerpt
	ResultOf int64 // number of the entry with the result
}

// toolInput is the union of the tool inputs. Inputs come from models and may contain anything.
type toolInput struct {
	Path, Old, New, Text, Encoding string
	From, To                       string
	Steps, Title, Summary          string
	Query, Folder, Command         string
}

func newCallView(id string, c client.AgentToolCall, all bool) *callView {
	out := &callView{ID: id, Name: c.Name}
	var in toolInput
	if json.Unmarshal(c.Input, &in) != nil {
		out.Input = cutText(indented(c.Input), all)
		return out
	}
	switch c.Name {
	case "edit":
		out.About = in.Path
		out.compare(in.Old, in.New)
	case "write":
		out.About = in.Path
		if in.Encoding != "" {
			out.Note = fmt.Sprintf("A binary file: %d characters of %s.", utf8.RuneCountInString(in.Text), in.Encoding)
			break
		}
		lines := diffview.Added(in.Text, linesShown)
		out.Diff = &lines
	case "move":
		out.About = in.From + " → " + in.To
	case "plan":
		out.Note = in.Steps
	case "finish":
		out.About, out.Note = in.Title, in.Summary
	case "search":
		out.About = in.Query
	case "shell":
		out.About = in.Command
	case "list":
		out.About = in.Folder
	case "read", "delete":
		out.About = in.Path
	case "check", "diff":
	default:
		out.Input = cutText(indented(c.Input), all)
	}
	out.About, out.Note = cutText(out.About, all).Text, cutText(out.Note, all).Text
	return out
}

// maxCompared is the maximum size of an edit's texts that are compared, in bytes.
const maxCompared = 32 << 10

func (c *callView) compare(before, after string) {
	if len(before)+len(after) > maxCompared {
		c.Diff = &diffview.Lines{Cut: true}
		return
	}
	lines := diffview.Compare(before, after, linesShown)
	for i := range lines.List { // line numbers are relative to the two texts, which are parts of the file
		lines.List[i].Old, lines.List[i].New = 0, 0
	}
	c.Diff = &lines
}

// indented formats JSON in a readable way. It returns other text unchanged.
func indented(raw json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, raw, "", "  ") != nil {
		return string(raw)
	}
	return out.String()
}
