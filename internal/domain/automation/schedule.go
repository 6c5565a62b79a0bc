package automation

import (
	"errors"
	"slices"
	"strings"
	"time"

	_ "time/tzdata" // containers often have no time zones
)

// Schedule is a time of day on certain weekdays, in a time zone.
type Schedule struct {
	Days     []time.Weekday // sorted, without duplicates; empty = every day
	At       string         // hh:mm
	TimeZone string         // name in the IANA database; "" = UTC
}

// IsZero reports whether there is no schedule.
func (s Schedule) IsZero() bool { return len(s.Days) == 0 && s.At == "" && s.TimeZone == "" }

const clockForm = "15:04"

// Validate checks the fields that a caller sets.
func (s Schedule) Validate() error {
	if _, err := time.Parse(clockForm, s.At); err != nil || len(s.At) != len(clockForm) {
		return invalid("schedule", "schedule.at must be a time of day such as 06:30.")
	}
	if _, err := s.zone(); err != nil {
		return invalid("schedule", "schedule.timeZone must be the name of a time zone such as Europe/Berlin.")
	}
	return nil
}

// zone returns the time zone. "Local" is refused, because callers cannot know the server's own time zone.
func (s Schedule) zone() (*time.Location, error) {
	if s.TimeZone == "Local" {
		return nil, errors.New("not a zone of the database")
	}
	return time.LoadLocation(s.TimeZone)
}

// Next returns the first scheduled time after now. A time that is skipped because clocks go forward is moved forward by
// the same amount. A time that occurs twice counts once. The schedule must be valid.
func (s Schedule) Next(now time.Time) time.Time {
	zone, err := s.zone()
	if err != nil {
		zone = time.UTC // the server's database no longer contains the zone
	}
	clock, _ := time.Parse(clockForm, s.At) // 00:00 if it is invalid
	today := now.In(zone)
	for n := 0; ; n++ { // at most eight days, which include today's weekday twice
		// Computed in UTC, because in the zone a day may start at one o'clock.
		day := time.Date(today.Year(), today.Month(), today.Day()+n, clock.Hour(), clock.Minute(), 0, 0, time.UTC)
		if at := inZone(day, zone); at.After(now) && s.has(day.Weekday()) {
			return at.UTC()
		}
	}
}

// inZone returns the time at which clocks in a zone show the date and time of day of t. For a time that is skipped,
// time.Date returns a time before the change in some zones and after it in others; inZone always returns one after
// it.
func inZone(t time.Time, zone *time.Location) time.Time {
	at := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, zone)
	shown := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
	if shown.Before(t) {
		return at.Add(t.Sub(shown))
	}
	return at
}

func (s Schedule) has(day time.Weekday) bool { return len(s.Days) == 0 || slices.Contains(s.Days, day) }

// dayNames are the names of weekdays in requests.
var dayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ParseDays parses weekdays from a request: mon, tue and so on.
func ParseDays(names []string) ([]time.Weekday, error) {
	var out []time.Weekday
	for _, name := range names {
		i := slices.Index(dayNames, strings.ToLower(name))
		if i < 0 {
			return nil, invalid("schedule", "schedule.days may only contain mon, tue, wed, thu, fri, sat and sun.")
		}
		out = append(out, time.Weekday(i))
	}
	slices.SortFunc(out, func(a, b time.Weekday) int { return weekPlace(a) - weekPlace(b) })
	return slices.Compact(out), nil
}

// weekPlace returns the position of a day in a week that starts on Monday.
func weekPlace(d time.Weekday) int { return (int(d) + 6) % 7 }

// DayNames formats weekdays for a response.
func DayNames(days []time.Weekday) []string {
	out := []string{}
	for _, d := range days {
		out = append(out, dayNames[d])
	}
	return out
}
