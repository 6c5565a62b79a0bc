package audience

import "time"

// Place identifies the project and the day to which counts belong.
type Place struct {
	ProjectID string
	Day       Day
}

// Sums are the counts of one place.
type Sums struct {
	Figures   Figures // without visitors, which only the store can count
	Pages     map[string]*Traffic
	Referrers map[string]int64
	Terms     map[string]*Term
	Clicks    map[Pair]int64 // by query and page
	Missing   map[Pair]*Miss // by path and referrer
	Trials    map[string]*Trial
	Marks     map[Mark]Seen
}

// Pair is two strings that are counted together.
type Pair [2]string

// Seen identifies a reader of a page. Path "" stands for the whole site.
type Seen struct {
	Path  string
	Class Class
}

// Batch adds up events, so that the number of stored rows does not grow with the number of events. It is not safe
// for concurrent use.
type Batch struct {
	Places map[Place]*Sums
	Events int // number of events added
	keys   int
	used   map[string]int // keys by project
	tight  bool           // the current event must not add keys
	known  map[Mark]bool  // marks that are already stored; read by Add, owned by the caller of NewBatch
	max    int
}

// share limits what one project may use of a batch to 1/share of it, so that no project can fill the batch alone.
const share = 4

// NewBatch returns an empty batch for about max distinct keys. known are marks that are already stored; it may be
// nil.
func NewBatch(max int, known map[Mark]bool) *Batch {
	return &Batch{Places: map[Place]*Sums{}, used: map[string]int{}, known: known, max: max}
}

// Keys returns the number of distinct keys, which is the number of rows to store.
func (b *Batch) Keys() int { return b.keys }

// Enough reports whether the batch should be stored. That is the case if the batch, or the project's share of it, is
// half full.
func (b *Batch) Enough(projectID string) bool {
	return b.keys >= b.max/2 || b.used[projectID] >= b.max/share/2
}

// Add counts an event. It returns false if the batch or the project's share is full and the event would need a new
// count.
func (b *Batch) Add(e Event) bool {
	at := Place{e.ProjectID, DayOf(e.At)}
	s := b.Places[at]
	b.tight = b.keys >= b.max || b.used[e.ProjectID] >= b.max/share
	if b.tight && (s == nil || !s.holds(e)) {
		return false
	}
	before := b.keys
	defer func() { b.used[e.ProjectID] += b.keys - before }()
	if s == nil {
		s = &Sums{Pages: map[string]*Traffic{}, Referrers: map[string]int64{}, Terms: map[string]*Term{},
			Clicks: map[Pair]int64{}, Missing: map[Pair]*Miss{},
			Trials: map[string]*Trial{}, Marks: map[Mark]Seen{}}
		b.Places[at] = s
		b.keys++
	}
	b.Events++
	switch e.Kind {
	case View:
		b.view(s, e)
	case Search:
		b.search(s, e)
	case Click:
		s.Figures.Clicks++
		b.term(s, e.Query).Clicks++
		b.count(s.Clicks, Pair{e.Query, e.Target})
	case Missing:
		s.Figures.Missing++
		m := entry(b, s.Missing, Pair{e.Path, e.Referrer})
		m.N, m.Last = m.N+1, later(m.Last, e.At)
	case Try:
		b.try(s, e)
	case Ask:
		s.Figures.Asks++
	case Copy:
		s.Figures.Copies++
	case Suggestion:
		s.Figures.Suggestions++
	}
	return true
}

// holds reports whether there is already a count for the event.
func (s *Sums) holds(e Event) bool {
	switch e.Kind {
	case View:
		return s.Pages[e.Path] != nil
	case Search:
		return s.Terms[e.Query] != nil
	case Click:
		return s.Terms[e.Query] != nil && s.Clicks[Pair{e.Query, e.Target}] > 0
	case Missing:
		return s.Missing[Pair{e.Path, e.Referrer}] != nil
	case Try:
		return s.Trials[e.Target] != nil
	}
	return true
}

func (b *Batch) view(s *Sums, e Event) {
	i := place(e.Class)
	if i < 0 {
		return
	}
	s.Figures.Views[i]++
	entry(b, s.Pages, e.Path)[i]++
	if e.Referrer != "" && (!b.tight || s.Referrers[e.Referrer] > 0) {
		if s.Referrers[e.Referrer] == 0 {
			b.keys++
		}
		s.Referrers[e.Referrer]++
	}
	if e.Visitor == ([8]byte{}) || b.tight {
		return
	}
	for _, path := range [2]string{"", e.Path} {
		m := MarkOf(e.Visitor, e.Class, path)
		if _, twice := s.Marks[m]; !twice && !b.known[m] {
			b.keys++
			s.Marks[m] = Seen{path, e.Class}
		}
	}
}

func (b *Batch) search(s *Sums, e Event) {
	s.Figures.Searches++
	t := b.term(s, e.Query)
	t.Searches++
	if e.Hits == 0 {
		s.Figures.NoResults++
		t.NoResults++
	}
	if !e.At.Before(t.LastSearched) {
		t.Hits, t.LastSearched = int64(e.Hits), e.At
	}
}

func (b *Batch) try(s *Sums, e Event) {
	s.Figures.Tries++
	t := entry(b, s.Trials, e.Target)
	t.N, t.Last = t.N+1, later(t.Last, e.At)
	switch {
	case e.Status >= 100 && e.Status < 400:
		t.Succeeded++
	case e.Status >= 400 && e.Status < 500:
		t.Refused++
	default:
		t.Failed++
	}
}

func (b *Batch) term(s *Sums, query string) *Term { return entry(b, s.Terms, query) }

func (b *Batch) count(m map[Pair]int64, k Pair) {
	if m[k] == 0 {
		b.keys++
	}
	m[k]++
}

// entry returns the value of a key, adding it if necessary.
func entry[K comparable, V any](b *Batch, m map[K]*V, k K) *V {
	v := m[k]
	if v == nil {
		v = new(V)
		m[k] = v
		b.keys++
	}
	return v
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
