package agenttools

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

const maxOutput = 32 << 10 // bytes of a command's output

func shellTool() tool {
	return tool{Tool: Tool{Name: "shell",
		Description: "Runs a command with sh in a copy of the docs folder, without network. Changed files are kept.",
		Input:       schema([]string{"command"}, map[string]property{"command": {"string", "For sh -c."}})},
		run: (*Toolset).shell}
}

// Effects returns the changes that tools with non-reproducible results have made since the last call of Effects. They
// must be stored, whereas the changes of other tools follow from their calls.
func (d *Toolset) Effects() []draft.Change {
	out := d.effects
	d.effects = nil
	return out
}

func (d *Toolset) shell(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Command string `json:"command" required:"true"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	output, changes, err := d.Shell(ctx, in.Command, d.Tree)
	if err != nil {
		return "", err
	}
	if err := d.change(changes); err != nil {
		return "", err
	}
	d.effects = append(d.effects, changes...)
	if len(output) > maxOutput {
		output = strings.ToValidUTF8(output[:maxOutput], "") + "\n… the rest is omitted"
	}
	return guard.Untrusted("output", guard.Clean(output)), nil
}
