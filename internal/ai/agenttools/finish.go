package agenttools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

const (
	maxTitle   = 120  // characters
	maxSummary = 8000 // characters
)

func planTool() tool {
	return tool{Tool: Tool{Name: "plan",
		Description: "Records what you are going to do, for people who follow the work. Changes nothing.",
		Input: schema([]string{"steps"},
			map[string]property{"steps": {"string", "A short list, one step per line."}})}, run: (*Toolset).note}
}

func (d *Toolset) note(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Steps string `json:"steps" required:"true"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	return "Noted.", nil
}

func finishTool() tool {
	return tool{Tool: Tool{Name: "finish", Changes: true,
		Description: "Ends the work. The changes are checked and proposed under this title. Without changes, the summary is the answer.",
		Input: schema([]string{"title", "summary"}, map[string]property{
			"title":   {"string", "What the change does, in one line, for the title of the pull request."},
			"summary": {"string", "What was changed and why, and what was not changed; Markdown. It is compared with the changes."},
			"outcome": {"string", "Required if nothing was changed: nothing_to_do, not_understood if the task is unclear or " +
				"cannot be done, or needs_answer if the summary asks a question that must be answered first."}})},
		run: (*Toolset).finish}
}

func (d *Toolset) finish(_ context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Title   string `json:"title" required:"true"`
		Summary string `json:"summary" required:"true"`
		Outcome string `json:"outcome"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	title := clip.Runes(strings.Join(strings.Fields(guard.Clean(in.Title)), " "), maxTitle)
	if title == "" {
		return "", refuse("title is empty.")
	}
	given := agentjob.Outcome(in.Outcome)
	if given != "" && given != agentjob.Changed && !slices.Contains(agentjob.Unchanged(), given) {
		return "", refuse("outcome must be changed, nothing_to_do, not_understood or needs_answer.")
	}
	d.end = ending{done: true, title: title, summary: clip.Runes(strings.TrimSpace(in.Summary), maxSummary), outcome: given}
	return "Done.", nil
}

func maintainTool() tool {
	return tool{Tool: Tool{Name: "maintain", Changes: true,
		Description: "Does a rule-based chore across the whole folder: fixes broken links and anchors, moves and deletes pages, " +
			"adds redirects, descriptions, alt text, navigation and changelog entries, formats pages, " +
			"changes a version or a term everywhere. Reports what it changed and what it could not change.",
		Input: maintain.Schema()}, run: (*Toolset).maintain}
}

func (d *Toolset) maintain(ctx context.Context, raw json.RawMessage) (string, error) {
	t, err := maintain.Parse(raw)
	if err != nil {
		return "", err
	}
	t.Build, t.MaxFiles, t.MaxBytes, t.Today = d.Build, d.MaxFiles, d.MaxBytes, d.Today
	trial := d.Tree.Fork() // a task that exceeds the limits changes nothing
	report, err := maintain.Run(ctx, trial, t)
	if err != nil {
		return "", err
	}
	changes, err := trial.Since(d.Tree)
	if err != nil {
		return "", err
	}
	if err := d.change(changes); err != nil {
		return "", err
	}
	return guard.Untrusted("report", report.String()), nil
}
