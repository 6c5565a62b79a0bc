package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// effects returns the changes made by the i-th call of an answer, if they do not follow from the call itself. It
// expresses them as calls whose ids start with i, and a replay runs these calls instead of the original one. Secrets
// that a command wrote to files are removed from the files as well.
func (t *conversation) effects(ctx context.Context, i int) ([]agentjob.Call, error) {
	made, err := asCalls(t.toolset.Effects())
	if err != nil {
		return nil, err
	}
	var list []llm.Call
	for _, c := range made {
		list = append(list, llm.Call{ID: effectOf(i) + c.ID, Name: c.Name, Input: c.Input})
	}
	clean := t.scrub.calls(list)
	for k, c := range clean {
		if string(c.Input) != string(made[k].Input) {
			if err := t.toolset.Repeat(ctx, c.Name, c.Input); err != nil {
				return nil, err
			}
		}
	}
	return clean, nil
}

func effectOf(i int) string { return fmt.Sprintf("%d-", i) }

// recall restores the toolset's state from the record by repeating this round's calls (G9).
func (t *conversation) recall(ctx context.Context) error {
	if err := t.sync(ctx); err != nil {
		return err
	}
	var answer agentjob.Entry
	for _, e := range t.entries {
		switch {
		case e.Round != t.round:
		case forModel(e):
			t.toolset.Reopen()
		case e.Kind == agentjob.Answer:
			t.toolset.Reopen() // the round continued after any earlier call of finish
			answer, t.toolset.Today = e, e.At
		case e.Kind == agentjob.Results:
			if err := t.again(ctx, answer.Calls, e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *conversation) again(ctx context.Context, made []agentjob.Call, results agentjob.Entry) error {
	for i, c := range made {
		if i < len(results.Results) && !results.Results[i].Failed {
			if err := t.toolset.Repeat(ctx, c.Name, c.Input); err != nil {
				return err
			}
		}
		for _, e := range results.Calls {
			if !strings.HasPrefix(e.ID, effectOf(i)) {
				continue
			}
			if err := t.toolset.Repeat(ctx, e.Name, e.Input); err != nil {
				return err
			}
		}
	}
	return nil
}
