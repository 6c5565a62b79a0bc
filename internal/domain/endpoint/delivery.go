package endpoint

import (
	"time"
)

// Delivery is one event on its way to one receiver. Its id is the message's, over all attempts.
type Delivery struct {
	ID             string
	OrganizationID string
	EndpointID     string
	Recipient      string // address of a person, see Receivers; "" = the endpoint's own
	EventID        string
	Type           string // the event's action
	State          State
	Attempts       int
	Earlier        int        // attempts before the last replay, which do not count
	Error          string     // of the last attempt that failed, for people
	NextAt         *time.Time // when it is tried again; nil = now, or it has ended
	CreatedAt      time.Time
	EndedAt        *time.Time
}

// State of a delivery: queued → delivered or failed. One that failed is queued again when it is replayed.
type State string

// The states.
const (
	Queued    State = "queued"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// Attempt is one request of a delivery.
type Attempt struct {
	Number   int
	At       time.Time
	Took     time.Duration
	Status   int    // of the response; 0 = there was none
	Response string // how it began
	Error    string // why it failed, for people; "" if it did not
}

// MaxResponse is how many bytes of a response are kept.
const MaxResponse = 1 << 10

// pauses are those between two attempts, as Standard Webhooks recommends: ten attempts in about three days.
var pauses = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
	14 * time.Hour, 20 * time.Hour, LongestPause}

// LongestPause is the longest between two attempts, without what chance adds. No receiver can ask for a longer one.
const LongestPause = 24 * time.Hour

// MaxAttempts is how often a delivery is tried, until it is replayed.
var MaxAttempts = len(pauses) + 1

// PauseAfter returns how long a delivery waits after its nth attempt failed; last means that it was the last one. A
// receiver may ask for a longer pause. random, 0 to 1, adds up to a fifth, so that the deliveries that one outage stopped
// do not all arrive at once.
func PauseAfter(n int, asked time.Duration, random float64) (pause time.Duration, last bool) {
	if n > len(pauses) {
		return 0, true
	}
	pause = min(max(pauses[max(n, 1)-1], asked), LongestPause)
	return pause + time.Duration(random*float64(pause/5)), false
}
