package automation_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestNextRunFollowsDaysClockAndTimeZone(t *testing.T) {
	at := func(s string) time.Time {
		out, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	mondays := []time.Weekday{time.Monday}
	for _, c := range []struct {
		name      string
		schedule  automation.Schedule
		now, want string
	}{
		{"later today", automation.Schedule{At: "06:30"}, "2026-03-04T06:29:59Z", "2026-03-04T06:30:00Z"},
		{"the moment itself is over", automation.Schedule{At: "06:30"}, "2026-03-04T06:30:00Z", "2026-03-05T06:30:00Z"},
		{"next week", automation.Schedule{Days: mondays, At: "06:30"}, "2026-03-02T06:30:00Z", "2026-03-09T06:30:00Z"},
		{"this week", automation.Schedule{Days: mondays, At: "06:30"}, "2026-03-03T00:00:00Z", "2026-03-09T06:30:00Z"},
		{"a zone ahead", automation.Schedule{Days: mondays, At: "00:15", TimeZone: "Asia/Tokyo"},
			"2026-03-01T12:00:00Z", "2026-03-01T15:15:00Z"},
		{"winter", automation.Schedule{At: "06:30", TimeZone: "Europe/Berlin"}, "2026-03-27T12:00:00Z", "2026-03-28T05:30:00Z"},
		{"summer", automation.Schedule{At: "06:30", TimeZone: "Europe/Berlin"}, "2026-03-28T12:00:00Z", "2026-03-29T04:30:00Z"},
		{"a time that is skipped", automation.Schedule{At: "02:30", TimeZone: "Europe/Berlin"},
			"2026-03-29T00:00:00Z", "2026-03-29T01:30:00Z"},
		{"a time that is skipped west of Greenwich", automation.Schedule{At: "02:30", TimeZone: "America/New_York"},
			"2026-03-08T00:00:00Z", "2026-03-08T07:30:00Z"},
		{"after a time that was skipped", automation.Schedule{At: "02:30", TimeZone: "America/New_York"},
			"2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z"},
		{"a Sunday that begins at one o'clock", automation.Schedule{Days: []time.Weekday{time.Sunday}, At: "00:15",
			TimeZone: "America/Santiago"}, "2026-09-03T12:00:00Z", "2026-09-06T04:15:00Z"},
		{"the Saturday before it", automation.Schedule{Days: []time.Weekday{time.Saturday}, At: "00:15",
			TimeZone: "America/Santiago"}, "2026-09-05T04:15:00Z", "2026-09-12T03:15:00Z"},
		{"from that Sunday on", automation.Schedule{Days: []time.Weekday{time.Monday}, At: "00:15",
			TimeZone: "America/Santiago"}, "2026-09-06T04:15:00Z", "2026-09-07T03:15:00Z"},
		{"a time that comes twice", automation.Schedule{At: "02:30", TimeZone: "Europe/Berlin"},
			"2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"},
		{"the end of a year", automation.Schedule{At: "01:00"}, "2026-12-31T23:00:00Z", "2027-01-01T01:00:00Z"},
	} {
		if err := c.schedule.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := c.schedule.Next(at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestInvalidAutomationNamesTheField(t *testing.T) {
	good := automation.Automation{Name: "weekly-links", Trigger: automation.OnSchedule, Workflow: "fix-links", MaxPerDay: 1, AtLeast: 1,
		Schedule: automation.Schedule{At: "06:30"}}
	for field, change := range map[string]func(*automation.Automation){
		"":          func(*automation.Automation) {},
		"name":      func(a *automation.Automation) { a.Name = "Weekly links" },
		"name ":     func(a *automation.Automation) { a.Name = "fix-links" },
		"name  ":    func(a *automation.Automation) { a.Name = "" },
		"name   ":   func(a *automation.Automation) { a.Name = "a" + strings.Repeat("b", 50) },
		"trigger":   func(a *automation.Automation) { a.Trigger = "full moon" },
		"schedule":  func(a *automation.Automation) { a.Schedule.At = "6:30" },
		"schedule ": func(a *automation.Automation) { a.Schedule.TimeZone = "Local" },
		"schedule  ": func(a *automation.Automation) {
			a.Schedule.TimeZone = "Middle/Earth"
		},
		"schedule   ": func(a *automation.Automation) { a.Schedule = automation.Schedule{} },
		"schedule    ": func(a *automation.Automation) {
			a.Trigger = automation.OnCall
		},
		"workflow":  func(a *automation.Automation) { a.Workflow = "fix-everything" },
		"workflow ": func(a *automation.Automation) { a.Prompt = "Do it." },
		"prompt":    func(a *automation.Automation) { a.Workflow = "" },
		"prompt ":   func(a *automation.Automation) { a.Workflow, a.Prompt = "", "a\x00b" },
		"maxPerDay": func(a *automation.Automation) { a.MaxPerDay = 0 },
		"atLeast":   func(a *automation.Automation) { a.AtLeast = 2 },
		"atLeast ":  func(a *automation.Automation) { a.AtLeast = 0 },
		"atLeast  ": func(a *automation.Automation) {
			a.Trigger, a.Schedule, a.AtLeast = automation.OnFindings, automation.Schedule{}, automation.MaxAtLeast+1
		},
		"maxPerDay ": func(a *automation.Automation) { a.MaxPerDay = automation.MaxPerDay + 1 },
	} {
		a := good
		change(&a)
		err := a.Validate()
		f, _ := fault.As(err)
		if field = strings.TrimSpace(field); field == "" && err != nil || field != "" && (f == nil || f.Field != field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	good.Workflow = ""
	for _, trigger := range []automation.Trigger{automation.OnGaps, automation.OnPush, automation.OnRelease, automation.OnAPI,
		automation.OnFindings, automation.OnFeedback} {
		if good.Trigger, good.Schedule = trigger, (automation.Schedule{}); trigger.Scheduled() {
			good.Schedule.At = "06:30"
		}
		if err := good.Validate(); err != nil || good.Task() == "" {
			t.Errorf("%s without a prompt: %v, task %q", trigger, err, good.Task())
		}
	}
}

func TestParseDaysSortsFromMonday(t *testing.T) {
	days, err := automation.ParseDays([]string{"sun", "Mon", "sun"})
	if err != nil || !slices.Equal(automation.DayNames(days), []string{"mon", "sun"}) {
		t.Errorf("%v, %v", days, err)
	}
	if _, err := automation.ParseDays([]string{"monday"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestLimitsDecideWhetherARunStarts(t *testing.T) {
	a := automation.Automation{Enabled: true, MaxPerDay: 2}
	for want, past := range map[automation.Reason]automation.Past{
		"":                      {Today: 1},
		automation.DailyLimit:   {Today: 2},
		automation.AgentWorking: {Working: "aj_1"},
		automation.OpenProposal: {Open: "https://git.example.com/a/pulls/1"},
	} {
		why, detail, ok := a.Decide(past, false)
		if why != want || ok != (want == "") || ok != (detail == "") {
			t.Errorf("%+v: %q, %q, %v", past, why, detail, ok)
		}
		if _, _, ok := a.Decide(past, true); !ok {
			t.Errorf("%+v: a dry run is limited", past)
		}
	}
	a.Enabled = false
	if why, _, ok := a.Decide(automation.Past{}, false); ok || why != automation.Off || a.Plan(time.Unix(0, 0)) != nil {
		t.Errorf("a disabled automation starts: %q", why)
	}
}

// Readers' text stays on one line, so that it cannot be mistaken for a separate list.
func TestGapListKeepsEachGapOnOneLine(t *testing.T) {
	got := automation.Gaps{Questions: []automation.Gap{{Text: "How?\n- Searches that found nothing:\n\tx", Page: "/a"}},
		Searches: []automation.Gap{{Text: strings.Repeat("y", 1000), Times: 3}}}.List()
	if lines := strings.Split(strings.TrimSpace(got), "\n"); len(lines) != 4 || len(got) > 600 ||
		!strings.Contains(got, "(asked on /a)") || !strings.Contains(got, "… (3)") {
		t.Errorf("%s", got)
	}
	if got := (automation.Gaps{}).List(); got != "" {
		t.Errorf("without gaps, the list is %q", got)
	}
}

// Refused questions are labelled and listed last, and never listed on their own.
func TestGapListLabelsRefusedQuestions(t *testing.T) {
	g := automation.Gaps{Refused: []automation.Gap{{Text: "Are you\na pirate?", Page: "/a"}}}
	if got := g.List(); got != "" {
		t.Errorf("with refused questions only, the list is %q", got)
	}
	g.Questions, g.Searches = []automation.Gap{{Text: "How?"}}, []automation.Gap{{Text: "sso", Times: 2}}
	want := regexp.MustCompile(`^Questions that the documentation did not answer:\n- How\?\nSearches that found nothing:\n- sso \(2\)\n` +
		`Questions that the assistant refused, .*\n- Are you a pirate\? \(asked on /a\)\n$`)
	if got := g.List(); !want.MatchString(got) {
		t.Errorf("%s", got)
	}
}
