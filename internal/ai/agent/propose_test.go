package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// The rule-based agent first proposes a change without making it; the message "yes" turns the proposal into a pull
// request.
func TestYesTurnsProposalIntoPullRequest(t *testing.T) {
	r := scene(t, rules.Model{})
	j := r.start("guides/start really belongs in a folder called basics, but don't touch its title")
	got, f := r.work()
	if f != nil || got.Status != agentjob.Completed || got.Outcome != agentjob.NeedsAnswer || got.PRNumber != 0 ||
		!strings.Contains(got.Summary, "- move `guides/start.mdx` to `basics/start.mdx`, with links, navigation and a redirect") ||
		!strings.Contains(got.Summary, "Not part of it:\n\n- `but don't touch its title`") {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	r.send(j, "yes please")
	got, f = r.work()
	if f != nil || got.Outcome != agentjob.Changed || got.PRNumber != 1 {
		t.Fatalf("%+v %v\n%s", got, f, r.record(got))
	}
	changes, _, err := r.merger.Changes(context.Background(), r.proposals()[0].ID)
	r.check(err)
	moved := false
	for _, c := range changes {
		moved = moved || c.Path == "basics/start.mdx" && strings.Contains(string(c.After), "title: Start\n")
	}
	if !moved {
		t.Errorf("it proposes %+v\n%s", changes, r.record(got))
	}

	// redo on the newest files: the answer still belongs to the proposal
	r.write("guides/start.mdx", "---\ntitle: Start\n---\n\nBoil cold water.\n")
	r.redo(j)
	got, f = r.work()
	if f != nil || got.Outcome != agentjob.Changed || r.commits(got.Ref) != "1" {
		t.Errorf("again: %+v %v\n%s", got, f, r.record(got))
	}
}

func TestNoDropsProposal(t *testing.T) {
	r := scene(t, rules.Model{})
	j := r.start("guides/start really belongs in a folder called basics")
	r.work()
	r.send(j, "no")
	got, f := r.work()
	if f != nil || got.Outcome != agentjob.NothingToDo || got.PRNumber != 0 || len(r.branches()) > 0 {
		t.Errorf("%+v %v %v\n%s", got, f, r.branches(), r.record(got))
	}
}
