package task

import (
	"errors"
	"time"
)

// Outage is why a task is released and retried later: a part of the server that the work needs, such as the object
// storage, does not answer. That is not the task's fault, so the start does not count as an attempt.
type Outage struct {
	Limit   time.Duration // how long a task may wait in all, from its first pause
	Longest time.Duration // the longest pause between two starts; 0 = LongestPause
	Random  float64       // 0 to 1; spreads the tasks that one outage stopped
}

// ErrWaitedTooLong is returned instead of releasing a task that has waited longer than the limit.
var ErrWaitedTooLong = errors.New("task waited longer than the limit")

// The shortest and the longest pause between two starts of a task that an outage stopped. Mail servers expect callers to
// come back less often than that.
const (
	shortestPause    = 5 * time.Second
	LongestPause     = 5 * time.Minute
	LongestMailPause = 30 * time.Minute
)

// PauseAfter returns how long a task waits after the nth outage: twice as long each time, up to the longest pause, and
// between half of that and all of it by chance.
func (o Outage) PauseAfter(n int) time.Duration {
	pause := o.Longest
	if pause == 0 {
		pause = LongestPause
	}
	if n < 1 {
		n = 1
	}
	if n < 12 {
		pause = min(pause, shortestPause<<(n-1))
	}
	return pause/2 + time.Duration(o.Random*float64(pause/2))
}

// Failure is why a task has failed.
type Failure struct {
	Sentence  string // for its owner
	Transient bool   // trying again later may help, although nothing of the task has changed
}
