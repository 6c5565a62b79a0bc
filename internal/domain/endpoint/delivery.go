package endpoint

import (
	"time"
)

// Delivery is the delivery of one event to one receiver. All attempts share its id.
type Delivery struct {
	ID             string
	OrganizationID string
	EndpointID     string
	Recipient      string // address of a person, see Receivers; "" = the endpoint's own
	EventID        string
	Type           string // the event's action
	State          State
	Attempts       int
	Earlier        int        // number of attempts before the latest replay, which no longer count
	Error          string     // error of the last failed attempt, for people
	NextAt         *time.Time // time of the next attempt; nil = now, or the delivery has ended
	CreatedAt      time.Time
	EndedAt        *time.Time
}

// State is the state of a delivery: queued → delivered or failed. A failed delivery is queued again when it is
// replayed.
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
	Status   int    // of the response; 0 = no response
	Response string // start of the response
	Error    string // reason of a failure, for people; "" on success
}

// MaxResponse limits the stored part of a response, in bytes.
const MaxResponse = 1 << 10

// pauses are the delays between attempts, as recommended by Standard Webhooks: ten attempts in about three days.
var pauses = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
	14 * time.Hour, 20 * time.Hour, LongestPause}

// LongestPause is the longest delay between two attempts, without the random addition. Receivers cannot ask for a
// longer one.
const LongestPause = 24 * time.Hour

// MaxAttempts is the number of times that a delivery is tried. After a replay, it is tried as often again.
var MaxAttempts = len(pauses) + 1

// PauseAfter returns the delay after the nth failed attempt; last reports that there are no further attempts. asked is
// the delay that the receiver requested; it is used if it is longer. random, 0 to 1, adds up to a fifth, so that
// deliveries that failed in the same outage do not all arrive at once.
func PauseAfter(n int, asked time.Duration, random float64) (pause time.Duration, last bool) {
	if n > len(pauses) {
		return 0, true
	}
	pause = min(max(pauses[max(n, 1)-1], asked), LongestPause)
	return pause + time.Duration(random*float64(pause/5)), false
}
