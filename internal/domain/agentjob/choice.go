package agentjob

import (
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ErrUnread is returned by an attempt to complete a job that has a message which its agent has not read.
var ErrUnread = errors.New("the job has a message that the agent has not read yet")

// shownModels limits the number of models that an error lists.
const shownModels = 10

// ChooseModel returns the model for a job: the requested one, or the first one that the operator configured, which
// is the default.
func ChooseModel(models []string, asked string) (string, error) {
	switch {
	case len(models) == 0:
		return "", fault.New(fault.Forbidden, "agent_off", "The agent is turned off on this server.").
			WithHint("The operator can turn it on with the agent.* settings.")
	case asked == "":
		return models[0], nil
	case slices.Contains(models, asked):
		return asked, nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "model is not available on this server.").WithField("model").
		WithHint("It has " + strings.Join(models[:min(len(models), shownModels)], ", ") + ".")
}

// ParseStatus parses a status from a request for a list.
func ParseStatus(s string) (Status, error) {
	if _, ok := edges[Status(s)]; ok {
		return Status(s), nil
	}
	return "", fault.New(fault.Invalid, "invalid_field", "status must be active, completed, failed or archived.").
		WithField("status")
}

// Ended reports whether the agent is no longer working.
func (s Status) Ended() bool { return s != Active }
