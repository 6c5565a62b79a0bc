package task_test

import (
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

func TestRetryDelayGrowsUpToLimit(t *testing.T) {
	for n, want := range map[int]time.Duration{0: 5 * time.Second, 1: 5 * time.Second, 2: 10 * time.Second,
		4: 40 * time.Second, 7: 5 * time.Minute, 10_000: 5 * time.Minute} {
		if least, most := (task.Outage{}).PauseAfter(n), (task.Outage{Random: 1}).PauseAfter(n); least != want/2 || most != want {
			t.Errorf("pause %d is from %s to %s, want half of %s to all of it", n, least, most, want)
		}
	}
	mail := task.Outage{Longest: task.LongestMailPause, Random: 1}
	for n, want := range map[int]time.Duration{7: 320 * time.Second, 10: 30 * time.Minute, 12: 30 * time.Minute,
		10_000: 30 * time.Minute} {
		if pause := mail.PauseAfter(n); pause != want {
			t.Errorf("pause %d of an email is %s, want %s", n, pause, want)
		}
	}
}
