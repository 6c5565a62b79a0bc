package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

func moveTool() tool {
	return tool{Tool: Tool{Name: "move", Changes: true,
		Description: "Renames a page, file or folder. Navigation, links, imports and redirects are updated automatically.",
		Input: schema([]string{"from", "to"}, map[string]property{"from": {"string", "Its path."},
			"to": {"string", "Its new path."}})}, run: (*Toolset).move}
}

func (d *Toolset) move(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		From string `json:"from" required:"true"`
		To   string `json:"to" required:"true"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	plan, err := rename.New(ctx, d.Tree, rename.Options{Old: in.From, New: in.To})
	if err != nil {
		return "", err
	}
	after := map[string][]byte{}
	for _, e := range plan.Edits {
		after[e.File] = e.After
	}
	var list []draft.Change
	for _, m := range plan.Moves {
		data, edited := after[m.To]
		if !edited {
			if data, err = d.Tree.ReadFile(m.From); err != nil {
				return "", fmt.Errorf("read moved file: %w", err)
			}
		}
		delete(after, m.To)
		list = append(list, draft.Change{Path: m.From}, draft.Change{Path: m.To, After: data})
	}
	for _, e := range plan.Edits {
		if data, still := after[e.File]; still {
			list = append(list, draft.Change{Path: e.File, After: data})
		}
	}
	if err := d.change(list); err != nil {
		return "", err
	}
	out := fmt.Sprintf("Moved %d files and changed %d.", len(plan.Moves), len(plan.Edits))
	if len(plan.Notes) > 0 {
		out += "\n" + guard.Untrusted("notes", guard.Visible(strings.Join(plan.Notes, "\n")))
	}
	return out, nil
}
