package audience

import "time"

// Classes returns all of them, in the order in which Traffic has them.
func Classes() []Class { return []Class{Human, Agent, Indexer, Trainer, OtherBot} }

// Traffic is how often something was read, by class of reader in the order of Classes.
type Traffic [5]int64

// place returns where a class stands in Traffic; -1 for none.
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

// Of returns the number of one class.
func (t Traffic) Of(c Class) int64 {
	if i := place(c); i >= 0 {
		return t[i]
	}
	return 0
}

// AI returns every program of AI: agents, those that collect texts, and others without a known name.
func (t Traffic) AI() int64 { return t[1] + t[3] + t[4] }

// Total is people and programs of AI. Search engines are counted apart.
func (t Traffic) Total() int64 { return t[0] + t.AI() }

// Plus adds two.
func (t Traffic) Plus(o Traffic) Traffic {
	for i := range t {
		t[i] += o[i]
	}
	return t
}

// Figures are the counts of one day or of several.
type Figures struct {
	Views, Visitors                                                        Traffic
	Searches, NoResults, Clicks, Missing, Asks, Tries, Copies, Suggestions int64
}

// Plus adds two.
func (f Figures) Plus(o Figures) Figures {
	return Figures{Views: f.Views.Plus(o.Views), Visitors: f.Visitors.Plus(o.Visitors),
		Searches: f.Searches + o.Searches, NoResults: f.NoResults + o.NoResults,
		Clicks: f.Clicks + o.Clicks, Missing: f.Missing + o.Missing, Asks: f.Asks + o.Asks, Tries: f.Tries + o.Tries,
		Copies: f.Copies + o.Copies, Suggestions: f.Suggestions + o.Suggestions}
}

// Span is days from the first to before the second.
type Span struct{ From, To Day }

// Since returns a span of n days that ends with today.
func Since(now time.Time, n int) Span {
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

// Term is a search term with its results.
type Term struct {
	Query        string
	Searches     int64
	NoResults    int64
	Clicks       int64
	Hits         int64  // results of the last search
	TopPage      string // what was opened most often; "" = nothing was
	LastSearched time.Time
}

// Miss is an address that led nowhere.
type Miss struct {
	Path, Referrer string // Referrer "" = none, or the site itself
	N              int64
	Last           time.Time
}

// Trial is an operation of an API that was tried.
type Trial struct {
	Operation                     string // method and path
	N, Succeeded, Refused, Failed int64
	Last                          time.Time
}

// Source is a host that led readers here.
type Source struct {
	Host string
	N    int64
}

// Other is the name under which a day's entries beyond the limit are counted.
const Other = "(other)"

// Add counts one of a class.
func (t *Traffic) Add(c Class) {
	if i := place(c); i >= 0 {
		t[i]++
	}
}
