package agent

import (
	"encoding/json"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

const maxBefore = 10 // earlier rounds listed in a pull request's text

// before returns the descriptions of the commits that earlier rounds pushed, oldest first, because a pull request
// describes all of its commits. It leaves out rounds on a previous branch or on a branch that was replaced. Claims that
// a round's changes did not confirm keep their labels.
func (t *conversation) before() (out []string) {
	said, pushed, unconfirmed := map[int]string{}, map[int]bool{}, map[int]string{}
	first := t.firstRound()
	for _, e := range t.entries {
		switch {
		case e.Round >= t.round || e.Round < first:
		case e.Kind == agentjob.Note && e.Code == "pushed":
			pushed[e.Round] = true
		case e.Kind == agentjob.Note && e.Code == unsupported:
			unconfirmed[e.Round] = e.Text
		case e.Kind == agentjob.Answer && !pushed[e.Round]:
			said[e.Round] = summaryOf(e)
		}
	}
	for round := max(first, t.round-maxBefore); round < t.round; round++ {
		if pushed[round] && said[round] != "" {
			text := guard.Tame(t.scrub.text(said[round]), t.rules.KnownHosts)
			if _, lines, ok := strings.Cut(unconfirmed[round], unsupportedLine); ok {
				text = agentjob.LabelSummary(text, strings.Split(lines, unsupportedLine))
			}
			out = append(out, text)
		}
	}
	return out
}

// summaryOf returns an answer's description of the work: the summary passed to finish, or its text.
func summaryOf(e agentjob.Entry) string {
	for _, c := range e.Calls {
		var in struct {
			Summary string `json:"summary"`
		}
		if c.Name == "finish" && json.Unmarshal(c.Input, &in) == nil && in.Summary != "" {
			return in.Summary
		}
	}
	return e.Text
}
