package task

import (
	"errors"
	"time"
)

// Outage means that a task is released and retried later because a part of the server that it needs, such as the object
// storage, is unavailable. The task does not cause this, so the start does not count as an attempt.
type Outage struct {
	Limit   time.Duration // total time that a task may wait, starting with its first pause
	Longest time.Duration // longest pause between two starts; 0 = LongestPause
	Random  float64       // 0 to 1; spreads the retries of tasks that failed in the same outage
}

// ErrWaitedTooLong is returned instead of releasing a task that has waited longer than the limit.
var ErrWaitedTooLong = errors.New("task waited longer than the limit")

// The shortest and the longest pause between two starts of a task after an outage. Mail servers expect less
// frequent attempts.
const (
	shortestPause    = 5 * time.Second
	LongestPause     = 5 * time.Minute
	LongestMailPause = 30 * time.Minute
)

// PauseAfter returns the pause after the nth outage. It doubles each time up to the longest pause, and is randomly
// reduced by up to a half.
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

// Failure says why a task has failed.
type Failure struct {
	Sentence  string // for its owner
	Transient bool   // retrying later may help, although the task itself has not changed
}
