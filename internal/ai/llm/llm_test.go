package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestPriceCountsCachedTokensSeparately(t *testing.T) {
	for _, c := range []struct {
		price llm.Price
		used  llm.Usage
		want  int64
	}{
		{llm.Price{Input: 3, Output: 15}, llm.Usage{Input: 1_000_000, Output: 100_000}, 4_500_000},
		{llm.Price{Input: 3, Output: 15}, llm.Usage{Input: 100, Cached: 60, Output: 1}, 315},
		{llm.Price{Input: 3, Output: 15, Cached: 0.3}, llm.Usage{Input: 100, Cached: 60, Output: 1}, 153},
		{llm.Price{Input: 0.1}, llm.Usage{Input: 4}, 0},
		{llm.Price{Input: 0.1}, llm.Usage{Input: 5}, 1},
		{llm.Price{}, llm.Usage{Input: math.MaxInt64, Output: math.MaxInt64}, 0},
		{llm.Price{Input: 1000}, llm.Usage{Input: math.MaxInt64}, math.MaxInt64},
		{llm.Price{Input: 1}, llm.Usage{Input: -5, Cached: 10, Output: -1}, 0},
		{llm.Price{Input: 1, Cached: 1}, llm.Usage{Input: 5, Cached: 10}, 5},
		{llm.Price{Input: math.NaN()}, llm.Usage{Input: 5}, 0},
	} {
		if got := c.price.Micros(c.used); got != c.want {
			t.Errorf("%+v for %+v: %d, want %d", c.price, c.used, got, c.want)
		}
	}
}

// Keys never appear in printed or logged output.
func TestKeysAreNeverPrinted(t *testing.T) {
	const secret = "sk-canary-42"
	key := llm.NewKey(secret)
	type inside struct {
		Open   llm.Key
		hidden llm.Key
	}
	for _, v := range []any{key, &key, inside{key, key}, &inside{key, key}, []llm.Key{key},
		map[string]llm.Key{"k": key}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T"} {
			if text := fmt.Sprintf(format, v); strings.Contains(text, secret) ||
				strings.Contains(strings.ToLower(text), fmt.Sprintf("%x", secret)) {
				t.Errorf("%s shows %s", format, text)
			}
		}
		b, err := json.Marshal(v)
		if err != nil || strings.Contains(string(b), secret) {
			t.Errorf("JSON %s, %v", b, err)
		}
		var log strings.Builder
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		if strings.Contains(log.String(), secret) {
			t.Errorf("log %s", log.String())
		}
	}
	if key.Reveal() != secret || llm.NewKey("").Reveal() != "" || (llm.Key{}).Reveal() != "" {
		t.Error("Reveal does not return the key")
	}
}

// tries counts calls and records waits without waiting.
type tries struct {
	calls int
	waits []time.Duration
}

func (r *tries) wait(ctx context.Context, d time.Duration) error {
	r.waits = append(r.waits, d)
	return ctx.Err()
}

func TestRetryDelayGrowsWithJitter(t *testing.T) {
	busy := &llm.Again{Err: errors.New("busy")}
	for name, c := range map[string]struct {
		retry llm.Retry
		fail  error
		waits []time.Duration
	}{
		"doubles": {llm.Retry{Tries: 5}, busy, []time.Duration{1e9, 2e9, 4e9, 8e9}},
		"is drawn": {llm.Retry{Tries: 3, Random: func() float64 { return 0.25 }}, busy,
			[]time.Duration{250e6, 500e6}},
		"has a bound": {llm.Retry{Tries: 5, Longest: 3 * time.Second}, busy,
			[]time.Duration{1e9, 2e9, 3e9, 3e9}},
		"has a sum": {llm.Retry{Tries: 9, Total: 8 * time.Second}, busy, []time.Duration{1e9, 2e9, 4e9}},
		"believes": {llm.Retry{Tries: 2}, &llm.Again{Err: busy, After: 20 * time.Second},
			[]time.Duration{21e9}},
		"believes to a bound": {llm.Retry{Tries: 2, Longest: 20 * time.Second},
			&llm.Again{Err: busy, After: 20 * time.Second}, []time.Duration{20e9}},
		"gives up":   {llm.Retry{Tries: 9}, &llm.Again{Err: busy, After: time.Hour}, nil},
		"tries once": {llm.Retry{Tries: 1}, busy, nil},
		"survives": {llm.Retry{Tries: 100, First: math.MaxInt64, Longest: 1, Total: 3}, busy,
			[]time.Duration{1, 1, 1}},
	} {
		r := &tries{}
		c.retry.Wait = r.wait
		err := c.retry.Do(t.Context(), func(context.Context) error { r.calls++; return c.fail })
		if !fault.HasCode(err, "model_busy") || !slices.Equal(r.waits, c.waits) || r.calls != len(c.waits)+1 {
			t.Errorf("%s: waits %v, want %v; %d calls, %v", name, r.waits, c.waits, r.calls, err)
		}
	}
}

func TestRetryStopsOnSuccessErrorOrCancellation(t *testing.T) {
	other := errors.New("other")
	r := &tries{}
	retry := llm.Retry{Wait: r.wait}
	if err := retry.Do(t.Context(), func(context.Context) error { return other }); err != other {
		t.Errorf("a permanent error: %v", err)
	}
	calls := 0
	err := retry.Do(t.Context(), func(context.Context) error {
		if calls++; calls < 3 {
			return fmt.Errorf("wrapped: %w", &llm.Again{Err: other})
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("a temporary error: %v after %d calls", err, calls)
	}
	mine := errors.New("mine")
	ctx, cancel := context.WithCancelCause(t.Context())
	err = retry.Do(ctx, func(context.Context) error { cancel(mine); return &llm.Again{Err: other} })
	if !errors.Is(err, mine) {
		t.Errorf("end of ctx: %v", err)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	real := llm.Retry{First: time.Hour, Longest: time.Hour, Total: time.Hour,
		Random: func() float64 { cancel(mine); return 1 }}
	if err := real.Do(ctx, func(context.Context) error { return &llm.Again{Err: other} }); !errors.Is(err, mine) {
		t.Errorf("end of ctx in a real wait: %v", err)
	}
}

func TestNormalizedAnswersAreConsistent(t *testing.T) {
	whole, half := llm.Call{ID: "a", Input: json.RawMessage(`{}`)}, llm.Call{ID: "b", Input: json.RawMessage(`{"x`)}
	for _, c := range []struct {
		stop  llm.Stop
		calls []llm.Call
		want  llm.Stop
		left  int
	}{
		{llm.Done, nil, llm.Done, 0}, {llm.Done, []llm.Call{half}, llm.Calling, 1}, {llm.Calling, nil, llm.Done, 0},
		{llm.Calling, []llm.Call{whole, half}, llm.Calling, 2},
		{llm.CutOff, []llm.Call{whole, half}, llm.CutOff, 1}, {llm.CutOff, []llm.Call{half}, llm.CutOff, 0},
		{llm.Refused, []llm.Call{whole}, llm.Refused, 0},
	} {
		if got := (llm.Completion{Stop: c.stop, Calls: c.calls}).Normalized(); got.Stop != c.want ||
			len(got.Calls) != c.left {
			t.Errorf("%s with %d calls: %s with %d", c.stop, len(c.calls), got.Stop, len(got.Calls))
		}
	}
}

func TestCallsGetUniqueIDs(t *testing.T) {
	ask := llm.Ask{Turns: []llm.Turn{{From: llm.User},
		{From: llm.Assistant, Calls: []llm.Call{{ID: "call_0"}, {ID: "call_3_1"}}}, {From: llm.User}}}
	got := ask.Named([]llm.Call{{ID: "call_0"}, {ID: ""}, {ID: "fine"}, {ID: "fine"}})
	var ids []string
	for _, c := range got {
		ids = append(ids, c.ID)
	}
	if want := []string{"call_3_0", "call_4_1", "fine", "call_3_3"}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
}

func TestUsageIsAddedUp(t *testing.T) {
	if got := (llm.Usage{Input: 1, Cached: 2, Output: 3}).Add(llm.Usage{Input: 10, Cached: 20,
		Output: 30}); !reflect.DeepEqual(got, llm.Usage{Input: 11, Cached: 22, Output: 33}) {
		t.Errorf("%+v", got)
	}
}
