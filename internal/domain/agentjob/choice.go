package agentjob

import (
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ErrUnread is returned on completing a job that has a message its agent has not read.
var ErrUnread = errors.New("the job has a message that the agent has not read yet")

// shownModels bounds how many models a refusal lists.
const shownModels = 10

// ChooseModel returns the model that a job runs with: the one asked for, or the first of those that the operator set
// up, which is the default.
func ChooseModel(models []string, asked string) (string, error) {
	switch {
	case len(models) == 0:
		return "", fault.New(fault.Forbidden, "agent_off", "The agent is off on this server.").
			WithHint("The operator turns it on with the agent.* settings.")
	case asked == "":
		return models[0], nil
	case slices.Contains(models, asked):
		return asked, nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "model is not available on this server.").WithField("model").
		WithHint("It has " + strings.Join(models[:min(len(models), shownModels)], ", ") + ".")
}

// ParseStatus reads a status as callers give it to a list.
func ParseStatus(s string) (Status, error) {
	if _, ok := edges[Status(s)]; ok {
		return Status(s), nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "status must be active, completed, failed or archived.").
		WithField("status")
}

// Ended reports whether the agent does nothing at this moment.
func (s Status) Ended() bool { return s != Active }
