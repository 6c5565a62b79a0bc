package shell

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func TestTimesAreFormattedInWords(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{0, "just now"}, {59 * time.Second, "just now"}, {time.Minute, "1 minute ago"},
		{119 * time.Second, "1 minute ago"}, {59 * time.Minute, "59 minutes ago"},
		{time.Hour, "1 hour ago"}, {23*time.Hour + 59*time.Minute, "23 hours ago"}, {day, "1 day ago"},
		{29 * day, "29 days ago"}, {30 * day, "1 month ago"},
		{364 * day, "12 months ago"}, {365 * day, "1 year ago"}, {800 * day, "2 years ago"},
		{-time.Second, "in a moment"}, {-time.Minute, "in 1 minute"}, {-90 * time.Minute, "in 1 hour"},
		{-3 * day, "in 3 days"},
	} {
		if got := Relative(noon.Add(-c.ago), noon); got != c.want {
			t.Errorf("%v: %q, want %q", c.ago, got, c.want)
		}
	}
}

// The exact time is for machines and for the tooltip; a missing time is shown as a dash.
func TestTimeElementHasTheExactTime(t *testing.T) {
	say := func(time.Time) string { return "earlier" }
	in := time.Date(2026, 3, 4, 14, 5, 6, 7, time.FixedZone("", 2*3600))
	want := `<time datetime="2026-03-04T12:05:06Z" title="4 March 2026, 12:05:06 UTC">earlier</time>`
	for _, v := range []any{in, &in} {
		if got := string(timeElement(v, say)); got != want {
			t.Errorf("%T: %s", v, got)
		}
	}
	for _, v := range []any{nil, (*time.Time)(nil), time.Time{}, "now"} {
		if got := string(timeElement(v, say)); got != `<span class="quiet">–</span>` {
			t.Errorf("%T %v: %s", v, v, got)
		}
	}
}

func TestDurationsNumbersAndTextsAreFormatted(t *testing.T) {
	end := func(d time.Duration) *time.Time { at := noon.Add(d); return &at }
	commit, empty := strings.Repeat("c0ffee", 7)[:40], ""
	for name, c := range map[string]struct{ got, want string }{
		"at once":           {lasted(noon, end(0)), "0 ms"},
		"milliseconds":      {lasted(noon, end(999*time.Millisecond)), "999 ms"},
		"seconds":           {lasted(noon, end(1500*time.Millisecond)), "1.5 s"},
		"minutes":           {lasted(noon, end(61*time.Second)), "1 min 01 s"},
		"hours":             {lasted(noon, end(3*time.Hour+5*time.Minute)), "3 h 05 min"},
		"not over":          {lasted(noon, nil), ""},
		"before it began":   {lasted(noon, end(-time.Second)), ""},
		"none":              {Count(0, "page"), "0 pages"},
		"one":               {Count(1, "page"), "1 page"},
		"several":           {Count(int64(2), "page"), "2 pages"},
		"bytes":             {size(999), "999 bytes"},
		"one byte":          {size(1), "1 byte"},
		"kilobytes":         {size(1500), "1.5 kB"},
		"gigabytes":         {size(2_000_000_000), "2.0 GB"},
		"beyond all names":  {size(1 << 62), "4611.7 PB"},
		"a commit":          {short(&commit), "c0ffeec0"},
		"a short commit":    {short("abc"), "abc"},
		"no commit":         {short((*string)(nil)), ""},
		"a missing text":    {Text((*string)(nil)), ""},
		"an empty text":     {Text(&empty), ""},
		"something odd":     {Text(7), ""},
		"nothing at all":    {Text(nil), ""},
		"a text with words": {Text("words"), "words"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

func TestEmptyPartsAreLeftOut(t *testing.T) {
	if got := strings.Join(Lines(" a.example \r\n\n\tb.example\n   "), "|"); got != "a.example|b.example" {
		t.Error(got)
	}
	if got := Lines(" \n "); got != nil {
		t.Error(got)
	}
}
