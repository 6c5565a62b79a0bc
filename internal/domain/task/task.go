// Package task defines the unit of durable work behind a job resource: who holds it, until when, and how often it was
// tried.
//
// Inputs: the id of an export, a deployment or an agent job (a task has the same id), its kind and organization.
// Outputs: the lease rules that make work at-least-once and its writes fenced.
// It does not know what the work does: no page, bundle or prompt.
//
// A worker that takes a task gets a fence number one higher than any before it, and a lease it must renew.
// When the lease expires (the worker died or froze), another worker may take the task. The late worker's writes carry
// the old fence number and are refused, so it can never overwrite newer state.
package task

import (
	"errors"
	"time"
)

// Kind says which worker does the task.
type Kind string

// The kinds.
const (
	Export Kind = "export"
	Deploy Kind = "deploy"
	Agent  Kind = "agent"
	Mail   Kind = "mail"
	// an event on its way to a webhook endpoint
	Delivery Kind = "delivery"
	// the state of a pull request's preview on its way to the code host
	Report Kind = "report"
	// a comment or label on a code host that asks for an agent, and the reply to it
	Mention Kind = "mention"
)

// Lane is where a task waits for a worker.
type Lane string

// The lanes. An agent waits for its model more than it works and may take half an hour: it keeps no place from a site
// that is to be published. Mails wait for a mail server, deliveries and reports for any program or code host that an
// organization named; these may take as long to answer as they like.
const (
	Ordinary Lane = "work"
	Express  Lane = "express" // kept free for organizations that have nothing running on it or the ordinary lane
	Either   Lane = "either"  // in wake-ups only: the ordinary and the express lane, whichever is free first
	Agents   Lane = "agents"
	Mails    Lane = "mails"

	Deliveries Lane = "deliveries"
)

// Kinds are those whose tasks wait on the lane.
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

// Lane returns the one of the kind's tasks.
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

// Canceled returns what the owner of a canceled task of this kind reads.
func (k Kind) Canceled() string {
	switch k {
	case Deploy:
		return "The deployment was canceled."
	case Agent:
		return "The agent job was canceled."
	case Mail:
		return "The mail was canceled."
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

// State of a task.
type State string

// The states: queued → running → done; running → queued when a lease lapsed, its worker stopped early or it has to wait
// for a part of the server that does not answer. An agent job's task that is done is queued again, with a higher fence
// at its next start, when a person sends the job a message; that of a report or a mention, when there is something new to tell.
const (
	Queued  State = "queued"
	Running State = "running"
	Done    State = "done"
)

// MaxAttempts is how often a task is started before it is given up as poison.
const MaxAttempts = 5

// Task is a stored task.
type Task struct {
	ID             string
	Kind           Kind
	OrganizationID string
	State          State
	Attempts       int           // times started, this time included; starts that an outage ended do not count
	Fence          int64         // grows by one with each start
	Ran            time.Duration // running time of the attempts before this one
	LeaseUntil     time.Time
	CancelAsked    bool
	CreatedAt      time.Time
}

// Hold is a worker's claim on a running task; every write it makes names it.
type Hold struct {
	TaskID string
	Fence  int64
}

// ErrCanceled is returned by a write that would end well what its owner has asked to stop.
var ErrCanceled = errors.New("canceled by its owner")

// ErrPostponed is returned by a handler that has released its task itself, to be tried again later.
var ErrPostponed = errors.New("postponed")

// Lost is returned by fenced writes when the hold is no longer the newest: the worker must stop and write nothing more.
type Lost struct{ TaskID string }

// Error says which task was lost.
func (l Lost) Error() string { return "task " + l.TaskID + " is held by a newer worker or has ended" }
