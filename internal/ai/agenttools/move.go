package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/maintain"
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
	list, plan, err := maintain.MoveChanges(ctx, d.Tree, in.From, in.To)
	if err != nil {
		return "", err
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
