package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
)

// A change must not exceed these limits by more than a fifth. They are ratios of processor time to a lower bound
// measured in the same run, which hold on other machines too, and counts of allocated or resident memory.

//go:embed limits.json
var limitsFile []byte

const (
	limitSlack = 1.2 // factor by which a figure may exceed its limit
	// number of measurements of figures above their limit, since other work on a busy machine only adds to them
	limitTries = 4
)

// limitGroup measures figures that result from the same work.
type limitGroup func(ctx context.Context, o options) (map[string]float64, error)

// checkLimits compares the current figures with the file, or prints them in its format.
func checkLimits(ctx context.Context, o options, mode string) error {
	if mode != "check" && mode != "print" {
		return fmt.Errorf("-limits must be check or print, not %q", mode)
	}
	limits := map[string]float64{}
	if err := json.Unmarshal(limitsFile, &limits); err != nil {
		return fmt.Errorf("read limits.json: %w", err)
	}
	o.pages = 200
	present := map[string]float64{}
	for _, measure := range []limitGroup{pageFigures, siteFigures, serverFigures} {
		got, err := measureWithin(ctx, o, measure, limits)
		if err != nil {
			return err
		}
		maps.Copy(present, got)
	}
	if mode == "print" {
		text, err := json.MarshalIndent(present, "", "  ")
		fmt.Println(string(text))
		return err
	}
	return compareLimits(present, limits)
}

// measureWithin repeats a measurement until all figures are within their limits, at most limitTries times, and keeps
// the lowest value of each.
func measureWithin(ctx context.Context, o options, measure limitGroup, limits map[string]float64) (map[string]float64,
	error) {
	best := map[string]float64{}
	for range limitTries {
		got, err := measure(ctx, o)
		if err != nil {
			return nil, err
		}
		within := true
		for name, v := range got {
			if old, ok := best[name]; !ok || v < old {
				best[name] = v
			}
			limit, ok := limits[name]
			within = within && (!ok || best[name] <= limit*limitSlack)
		}
		if within {
			break
		}
	}
	return best, nil
}

func compareLimits(present, limits map[string]float64) error {
	heading("limits", "present", "limit", "ratio")
	var worse []error
	for _, name := range slices.Sorted(maps.Keys(present)) {
		row(name, present[name], limits[name])
		if present[name] > limits[name]*limitSlack { // also true for a figure without a limit
			worse = append(worse, fmt.Errorf("%s: %.2f exceeds the limit of %.2f", name, present[name], limits[name]))
		}
	}
	for name := range limits {
		if _, ok := present[name]; !ok {
			worse = append(worse, fmt.Errorf("%s has a limit but was not measured", name))
		}
	}
	return errors.Join(worse...)
}

// limitRounds is the number of repetitions. The fastest round of each piece counts: even on a busy machine, some
// rounds of a few milliseconds are undisturbed.
const limitRounds = 12

// pageFigures measures the engine on one core.
func pageFigures(_ context.Context, o options) (map[string]float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := newPress()
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.math.Close() }() // only frees memory
	pieces := o.pages / batch
	ours, bare := make([][]cost, pieces), make([][]cost, pieces)
	for round := range limitRounds + 1 { // the first round is a warm-up: languages, icons, formulas
		for i := range pieces {
			s, _, err := p.round(uint64(i+1), batch, kind{})
			if err != nil {
				return nil, err
			}
			if round > 0 {
				ours[i], bare[i] = append(ours[i], s.whole), append(bare[i], s.bareWhole)
			}
		}
	}
	return costFigures("page", ours, bare, pieces*batch), nil
}

// costFigures returns the processor time of some work relative to goldmark, and the allocations per page.
func costFigures(what string, ours, bare [][]cost, pages int) map[string]float64 {
	var a, b cost
	for i := range ours {
		x, y := least(ours[i]), least(bare[i])
		a.took, a.objects, b.took = a.took+x.took, a.objects+x.objects, b.took+y.took
	}
	return map[string]float64{
		what + ": processor time / goldmark's": a.took.Seconds() / b.took.Seconds(),
		what + ": allocations":                 float64(a.objects) / float64(pages),
	}
}
