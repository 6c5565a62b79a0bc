package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func TestLimitsAllowTwentyPercent(t *testing.T) {
	limits := map[string]float64{"page": 10, "poll": 2}
	for _, c := range []struct {
		present map[string]float64
		want    string // in the error; "" if no error is expected
	}{
		{map[string]float64{"page": 11.9, "poll": 1}, ""},
		{map[string]float64{"page": 12.1, "poll": 2}, "page: 12.10"},
		{map[string]float64{"page": 10}, "poll has a limit but was not measured"},
		{map[string]float64{"page": 10, "poll": 2, "idle": 1}, "idle: 1.00"},
	} {
		err := compareLimits(c.present, limits)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.present, err, c.want)
		}
	}
}

// A figure above its limit is measured again, and its lowest value counts; a figure within its limit is not.
func TestFiguresAboveLimitAreMeasuredAgain(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
		tries  int
	}{{[]float64{10, 1}, 10, 1}, {[]float64{30, 20, 11, 1}, 11, 3}, {[]float64{30, 20, 40, 25, 1}, 20, limitTries}} {
		tries := 0
		got, err := measureWithin(t.Context(), options{}, func(context.Context, options) (map[string]float64, error) {
			tries++
			return map[string]float64{"page": c.values[tries-1]}, nil
		}, map[string]float64{"page": 10})
		if err != nil || got["page"] != c.want || tries != c.tries {
			t.Errorf("%v: %v after %d tries, %v", c.values, got, tries, err)
		}
	}
}

func TestLimitsFileIsReadable(t *testing.T) {
	limits := map[string]float64{}
	if err := json.Unmarshal(limitsFile, &limits); err != nil || len(limits) == 0 {
		t.Errorf("%d limits, %v", len(limits), err)
	}
}
