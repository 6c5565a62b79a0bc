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
	Compare    func(a, b T) int // ascending order; nil = the list cannot be sorted by this column
	Down       bool             // sort in descending order first
}

// Listed describes a list on a page: how its rows are loaded, newest first, and how they are searched and sorted.
type Listed[T any] struct {
	Noun       string // plural, such as "projects"
	Columns    []Column[T]
	Newest     string         // key of the column by which the source is sorted, in descending order
	Text       func(T) string // text to search
	States     []string       // available state filters; none = the list has no states
	StateLabel string         // label of the state filter; "" = State
	State      func(T) string // state of a row; nil = Load filters by state
	Size       int            // rows per page
	Load       func(state, cursor string, limit int) (rows []T, next string, err error)
}

// Listing is one page of a list as requested by the URL parameters sort, q, status, page and cursor.
type Listing[T any] struct {
	Rows   []T
	Noun   string
	Heads  []Head
	Find   string // search text
	State  string // state filter; "" = all
	States []string
	Label  string // label of the state filter
	Sort   string // value of the parameter; "" = newest first
	Cut    int    // number of newest rows that were searched; 0 = all rows
	Next   string // query of the next page; "" = none
	Last   string // query of the previous page; "" = none
}

// Head is a column header. Order is a value of aria-sort; Href is "" if the list cannot be sorted by this column.
type Head struct{ Label, Href, Order string }

// Narrowed reports whether there is a search or filter.
func (l Listing[T]) Narrowed() bool { return l.Find != "" || l.State != "" }

// Limits for loading rows to search and sort them.
const (
	mostListed = 500 // rows
	loadedEach = 100 // rows, the maximum page size of the API
)

// List loads a page of a list. Without a search or another order, it is one page of the source. Otherwise List
// searches and sorts the newest rows itself, so that a live page is cheap by default.
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

// order returns the column named by the parameter sort, and whether the order is descending. The default is newest
// first.
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

// loadAll loads the newest rows; cut means that there are more.
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

// heads sets the column headers; a click on the current one reverses the order.
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

// page selects one page of the rows.
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

// query returns a URL with the current parameters and one other value.
func (l *Listing[T]) query(name, value string) string {
	q := url.Values{}
	for key, v := range map[string]string{"q": l.Find, "status": l.State, "sort": l.Sort, name: value} {
		if v != "" {
			q.Set(key, v)
		}
	}
	return "?" + q.Encode()
}
