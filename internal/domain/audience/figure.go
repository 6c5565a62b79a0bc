package audience

import "time"

// Classes returns all classes, in the order of Traffic's elements.
func Classes() []Class { return []Class{Human, Agent, Indexer, Trainer, OtherBot} }

// Traffic counts reads by class of reader, in the order of Classes.
type Traffic [5]int64

// place returns the index of a class in Traffic, or -1 for an unknown class.
func place(c Class) int {
	switch c {
	case Human:
		return 0
	case Agent:
		return 1
	case Indexer:
		return 2
	case Trainer:
		return 3
	case OtherBot:
		return 4
	}
	return -1
}

// Of returns the count of one class.
func (t Traffic) Of(c Class) int64 {
	if i := place(c); i >= 0 {
		return t[i]
	}
	return 0
}

// AI returns the count of all AI programs: agents, programs that collect text for training, and other programs.
func (t Traffic) AI() int64 { return t[1] + t[3] + t[4] }

// Total returns the count of people and AI programs. Search engines are counted separately.
func (t Traffic) Total() int64 { return t[0] + t.AI() }

// Plus returns the sum of both.
func (t Traffic) Plus(o Traffic) Traffic {
	for i := range t {
		t[i] += o[i]
	}
	return t
}

// Figures are the counts of one or more days.
type Figures struct {
	Views, Visitors                                                        Traffic
	Searches, NoResults, Clicks, Missing, Asks, Tries, Copies, Suggestions int64
}

// Plus returns the sum of both.
func (f Figures) Plus(o Figures) Figures {
	return Figures{Views: f.Views.Plus(o.Views), Visitors: f.Visitors.Plus(o.Visitors),
		Searches: f.Searches + o.Searches, NoResults: f.NoResults + o.NoResults,
		Clicks: f.Clicks + o.Clicks, Missing: f.Missing + o.Missing, Asks: f.Asks + o.Asks, Tries: f.Tries + o.Tries,
		Copies: f.Copies + o.Copies, Suggestions: f.Suggestions + o.Suggestions}
}

// Span is a range of days, including From and excluding To.
type Span struct{ From, To Day }

// LastDays returns the span of the last n days, including today.
func LastDays(now time.Time, n int) Span {
	today := DayOf(now)
	return Span{From: today - Day(n) + 1, To: today + 1}
}

// DayFigures are the counts of one day.
type DayFigures struct {
	Day Day
	Figures
}

// PageTraffic is the traffic of a page.
type PageTraffic struct {
	Path string
	Traffic
}

// Term is a search term with its counts.
type Term struct {
	Query        string
	Searches     int64
	NoResults    int64
	Clicks       int64
	Hits         int64  // number of results of the latest search
	TopPage      string // the result that readers opened most often; "" = they opened none
	LastSearched time.Time
}

// Miss is a requested address that does not exist.
type Miss struct {
	Path, Referrer string // Referrer "" = none, or the site itself
	N              int64
	Last           time.Time
}

// Trial is an API operation that readers tried in the playground.
type Trial struct {
	Operation                     string // method and path
	N, Succeeded, Refused, Failed int64
	Last                          time.Time
}

// Source is a referring host.
type Source struct {
	Host string
	N    int64
}

// Other stands for all entries of a day beyond the limit.
const Other = "(other)"

// Add counts one read by a class.
func (t *Traffic) Add(c Class) {
	if i := place(c); i >= 0 {
		t[i]++
	}
}
