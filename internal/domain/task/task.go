// Package task defines the unit of durable work behind a job resource: who holds it, until when, and how often it was
// tried.
//
// Inputs: the id of an export, a deployment or an agent job (a task has the same id), its kind and organization.
// Outputs: the lease rules that make work at-least-once and its writes fenced.
// It does not depend on what the work does: it contains nothing about pages, bundles or prompts.
//
// A worker that takes a task gets a fence number one higher than any before it, and a lease it must renew.
// When the lease expires (the worker died or froze), another worker may take the task. The late worker's writes carry
// the old fence number and are refused, so it can never overwrite newer state.
package task

import (
	"errors"
	"time"
)

// Kind determines which worker runs the task.
type Kind string

// The kinds.
const (
	Export Kind = "export"
	Deploy Kind = "deploy"
	Agent  Kind = "agent"
	Mail   Kind = "mail"
	// delivery of an event to a webhook endpoint
	Delivery Kind = "delivery"
	// report of a pull request's preview to the code host
	Report Kind = "report"
	// handling of a comment or label on a code host that addresses an agent, and the reply to it
	Mention Kind = "mention"
)

// Lane is a queue in which tasks wait for a worker.
type Lane string

// The lanes. An agent mostly waits for its model and may take half an hour, so it must not block the publication of
// sites. Mails wait for a mail server. Deliveries and reports wait for programs or code hosts that organizations chose,
// and these may be slow.
const (
	Ordinary Lane = "work"
	Express  Lane = "express" // reserved for organizations that have nothing running on it or the ordinary lane
	Either   Lane = "either"  // only in wake-ups: the ordinary or the express lane, whichever is free first
	Agents   Lane = "agents"
	Mails    Lane = "mails"

	Deliveries Lane = "deliveries"
)

// Kinds returns the kinds of tasks on the lane.
func (l Lane) Kinds() []Kind {
	switch l {
	case Agents:
		return []Kind{Agent}
	case Mails:
		return []Kind{Mail}
	case Deliveries:
		return []Kind{Delivery, Report, Mention}
	}
	return []Kind{Export, Deploy}
}

// Lane returns the lane of the kind's tasks.
func (k Kind) Lane() Lane {
	switch k {
	case Agent:
		return Agents
	case Mail:
		return Mails
	case Delivery, Report, Mention:
		return Deliveries
	}
	return Ordinary
}

// Canceled returns the message for the owner of a canceled task of this kind.
func (k Kind) Canceled() string {
	switch k {
	case Deploy:
		return "The deployment was canceled."
	case Agent:
		return "The agent job was canceled."
	case Mail:
		return "The email was canceled."
	case Delivery:
		return "The delivery was canceled."
	case Report:
		return "The report was canceled."
	case Mention:
		return "The reply was canceled."
	default:
		return "The export was canceled."
	}
}

// State is the state of a task.
type State string

// The states: queued → running → done; running → queued when the lease expires, the worker stops early, or a part of
// the server is unavailable. A finished task is queued again, and gets a higher fence at its next start, when somebody
// sends a message to its agent job, or when there is something new to report about a preview or a mention.
const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
)

// MaxAttempts is how often a task is started before it fails permanently.
const MaxAttempts = 5

// Task is a stored task.
type Task struct {
	ID             string
	Kind           Kind
	OrganizationID string
	State          State
	Attempts       int           // number of starts, including the current one, but not those that an outage ended
	Fence          int64         // incremented at each start
	Ran            time.Duration // running time of earlier attempts
	LeaseUntil     time.Time
	CancelAsked    bool
	CreatedAt      time.Time
}

// Hold is a worker's claim on a running task; it is passed with every write.
type Hold struct {
	TaskID string
	Fence  int64
}

// ErrCanceled is returned by a write that would complete work that its owner has canceled.
var ErrCanceled = errors.New("canceled by its owner")

// ErrPostponed is returned by a handler that has already released its task for a later retry.
var ErrPostponed = errors.New("postponed")

// Lost is returned by fenced writes when the hold is outdated: the worker must stop and write nothing more.
type Lost struct{ TaskID string }

// Error says which task was lost.
func (l Lost) Error() string { return "task " + l.TaskID + " is held by a newer worker or has ended" }
