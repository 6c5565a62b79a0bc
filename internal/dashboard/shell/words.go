package shell

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/barchart"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// words returns the functions for templates. now is the clock.
func words(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"ago": func(t any) template.HTML {
			return timeElement(t, func(at time.Time) string { return Relative(at, now()) })
		},
		"exact": func(t any) template.HTML { return timeElement(t, Exactly) },
		"clock": func(t any) template.HTML {
			return timeElement(t, func(at time.Time) string { return at.UTC().Format("15:04:05") })
		},
		"icon":   newIcons().draw,
		"state":  stateOf,
		"actor":  Actor,
		"cause":  cause,
		"short":  short,
		"size":   size,
		"count":  Count,
		"curl":   Curl,
		"text":   Text,
		"lasted": lasted,
		"join":   strings.Join,
		"number": barchart.Number,
	}
}

// timeElement formats a time, with the exact time for machines and as tooltip. A nil time is shown as a dash.
func timeElement(t any, say func(time.Time) string) template.HTML {
	at, ok := t.(time.Time)
	if p, isPointer := t.(*time.Time); isPointer && p != nil {
		at, ok = *p, true
	}
	if !ok || at.IsZero() {
		return `<span class="quiet">–</span>`
	}
	// Consists only of times and our own text.
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`, at.UTC().Format(time.RFC3339), Exactly(at), say(at)))
}

func Exactly(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") }

// Relative formats a time relative to now. Less than a minute is "just now", so that live pages do not change every
// second.
func Relative(t, now time.Time) string {
	d := now.Sub(t)
	form := "%s ago"
	if d < 0 {
		d, form = -d, "in %s"
	}
	if d < time.Minute {
		if form == "in %s" {
			return "in a moment"
		}
		return "just now"
	}
	for _, u := range []struct {
		below time.Duration
		unit  time.Duration
		noun  string
	}{{time.Hour, time.Minute, "minute"}, {day, time.Hour, "hour"}, {30 * day, day, "day"},
		{365 * day, 30 * day, "month"}, {math.MaxInt64, 365 * day, "year"}} {
		if d >= u.below {
			continue
		}
		if form == "in %s" {
			d += min(u.unit/2, time.Minute) // a link that is valid for seven days should not show six a second later
		}
		return fmt.Sprintf(form, Count(int(d/u.unit), u.noun))
	}
	return ""
}

// Actor returns the name of the member or key that did something, or "" if a is nil.
func Actor(a *client.DeploymentActor) string {
	if a == nil {
		return ""
	}
	name := Text(a.Name)
	switch {
	case id.Has(id.Key, a.ID) && name != "":
		return "key " + name
	case name != "":
		return name
	case id.Has(id.Member, a.ID):
		return "a former member"
	case id.Has(id.Key, a.ID):
		return a.ID[:min(len(a.ID), shortKey)] + "…"
	}
	return a.ID
}

// causes describes the triggers of deployments without an actor.
var causes = map[string]string{"api": "the API", "confirmed": "the API", "webhook": "a push", "poll": "polling",
	"start": "the first start", "merge": "a merged proposal", "agent": "an agent", "features": "changed features",
	"views": "readers of other groups"}

// cause describes who or what started a deployment.
func cause(by *client.DeploymentActor, trigger string) string {
	if name := Actor(by); name != "" {
		return name
	}
	if words := causes[trigger]; words != "" {
		return words
	}
	return trigger
}

const day = 24 * time.Hour

// lasted formats the duration of something. It returns "" if either time is missing.
func lasted(from time.Time, to *time.Time) string {
	if to == nil || to.Before(from) {
		return ""
	}
	d := to.Sub(from)
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

// Count formats a number with a noun: 1 page, 2 pages.
func Count(n any, noun string) string {
	s := fmt.Sprint(n)
	if s != "1" {
		noun += "s"
	}
	return s + " " + noun
}

const (
	shortCommit = 8  // characters
	shortKey    = 12 // characters of a key id
)

// short returns the abbreviated commit id.
func short(commit any) string {
	s := Text(commit)
	return s[:min(len(s), shortCommit)]
}

// Text returns an optional string.
func Text(s any) string {
	switch v := s.(type) {
	case string:
		return v
	case *string:
		if v != nil {
			return *v
		}
	case fmt.Stringer:
		return v.String()
	}
	return ""
}

// size formats a number of bytes.
func size(n int64) string {
	const unit = 1000
	if n < unit {
		return Count(n, "byte")
	}
	value, names := float64(n), "kMGTP"
	i := -1
	for value >= unit && i < len(names)-1 {
		value /= unit
		i++
	}
	return fmt.Sprintf("%.1f %cB", value, names[i])
}
