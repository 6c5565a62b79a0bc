package shell

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Column is a column of a list.
type Column[T any] struct {
	Key, Label string
	Compare    func(a, b T) int // ascending; nil = the list cannot be sorted by it
	Down       bool             // people want the largest first
}

// Listed describes a list of a page: where its rows come from, newest first, and how they can be searched and sorted.
type Listed[T any] struct {
	Noun       string // plural, such as "projects"
	Columns    []Column[T]
	Newest     string         // key of the column that the source's order follows, downwards
	Text       func(T) string // what a search looks through
	States     []string       // to choose from; none = the list has no states
	StateLabel string         // what a state is called; "" = State
	State      func(T) string // of a row; nil = Load returns rows of the state alone
	Size       int            // rows on a page
	Load       func(state, cursor string, limit int) (rows []T, next string, err error)
}

// Listing is one page of a list as the address asks for it: by sort, q, status, page and cursor.
type Listing[T any] struct {
	Rows   []T
	Noun   string
	Heads  []Head
	Find   string // what was searched for
	State  string // that the list is narrowed to; "" = all
	States []string
	Label  string // of the choice of states
	Sort   string // value of the parameter; "" = newest first
	Cut    int    // only so many of the newest rows were looked at; 0 = all
	Next   string // query of the next page; "" = none
	Last   string // query of the page before; "" = none
}

// Head is the head of a column.
type Head struct{ Label, Href, Order string } // Order is as aria-sort has it; Href is "" where it cannot be sorted

// Narrowed reports whether some rows may be left out.
func (l Listing[T]) Narrowed() bool { return l.Find != "" || l.State != "" }

// How much of a list is read to search and sort it.
const (
	mostListed = 500 // rows
	loadedEach = 100 // rows, the most that a page of the API has
)

// List reads a page of a list. Without a search or another order it is one page of the source; otherwise the newest
// rows are searched and sorted here, so that a live page stays cheap as long as nobody asks for more.
func List[T any](v *Visit, l Listed[T]) (out Listing[T], err error) {
	out = Listing[T]{Noun: l.Noun, Find: strings.TrimSpace(v.Query("q")), States: l.States,
		Label: cmp.Or(l.StateLabel, "State")}
	if s := v.Query("status"); slices.Contains(l.States, s) {
		out.State = s
	}
	column, down := l.order(v.Query("sort"))
	if column.Key != l.Newest || !down {
		out.Sort = sortValue(column.Key, down)
	}
	out.heads(l.Columns, column.Key, down)
	if out.Sort == "" && out.Find == "" && (out.State == "" || l.State == nil) {
		var next string
		if out.Rows, next, err = l.Load(out.State, v.Query("cursor"), l.Size); next != "" {
			out.Next = out.query("cursor", next)
		}
		return out, err
	}
	all, cut, err := l.loadAll(out.State)
	if err != nil {
		return out, err
	}
	if cut {
		out.Cut = len(all)
	}
	all = slices.DeleteFunc(all, func(row T) bool {
		return out.Find != "" && !strings.Contains(strings.ToLower(l.Text(row)), strings.ToLower(out.Find)) ||
			out.State != "" && l.State != nil && l.State(row) != out.State
	})
	slices.SortStableFunc(all, func(a, b T) int {
		if down {
			a, b = b, a
		}
		return column.Compare(a, b)
	})
	out.page(all, l.Size, v.Query("page"))
	return out, nil
}

// order returns the column that the parameter sort names, and whether the largest come first. What names none is the
// newest first.
func (l Listed[T]) order(sort string) (column Column[T], down bool) {
	key, down := strings.CutPrefix(sort, "-")
	for _, c := range l.Columns {
		if c.Compare != nil && c.Key == key {
			return c, down
		}
	}
	i := slices.IndexFunc(l.Columns, func(c Column[T]) bool { return c.Key == l.Newest })
	return l.Columns[i], true
}

func sortValue(key string, down bool) string {
	if down {
		return "-" + key
	}
	return key
}

// loadAll reads the newest rows; cut says that there are more.
func (l Listed[T]) loadAll(state string) (out []T, cut bool, err error) {
	for next := ""; ; {
		var rows []T
		if rows, next, err = l.Load(state, next, loadedEach); err != nil {
			return nil, false, err
		}
		if out = append(out, rows...); next == "" || len(out) >= mostListed {
			return out, next != "", nil
		}
	}
}

// heads writes the heads of the columns; a click on the current one turns the order round.
func (l *Listing[T]) heads(columns []Column[T], current string, down bool) {
	for _, c := range columns {
		h := Head{Label: c.Label}
		if c.Compare != nil {
			next := c.Down
			if c.Key == current {
				next, h.Order = !down, "ascending"
				if down {
					h.Order = "descending"
				}
			}
			h.Href = l.query("sort", sortValue(c.Key, next))
		}
		l.Heads = append(l.Heads, h)
	}
}

// page cuts one page out of the rows.
func (l *Listing[T]) page(all []T, size int, asked string) {
	last := max((len(all)-1)/size, 0) + 1
	n, err := strconv.Atoi(asked)
	if err != nil {
		n = 1
	}
	n = min(max(n, 1), last)
	l.Rows = all[(n-1)*size : min(n*size, len(all))]
	if n > 1 {
		l.Last = l.query("page", strconv.Itoa(n-1))
	}
	if n < last {
		l.Next = l.query("page", strconv.Itoa(n+1))
	}
}

// query returns an address with what is asked for now and one value more.
func (l *Listing[T]) query(name, value string) string {
	q := url.Values{}
	for key, v := range map[string]string{"q": l.Find, "status": l.State, "sort": l.Sort, name: value} {
		if v != "" {
			q.Set(key, v)
		}
	}
	return "?" + q.Encode()
}
