package telemetry

import (
	"net/http"
	"strconv"
	"sync/atomic"
)

// tally counts the requests of one route. It remembers the counters of what readers send most, since finding one by its labels takes longer
// than sending a small page's headers. Safe for concurrent use.
type tally struct {
	requests *family // route, method, status
	route    string
	known    [2][600]atomic.Pointer[series] // of GET and HEAD, by status
}

func (t *tally) add(method string, status int) {
	row := -1
	switch method {
	case http.MethodGet:
		row = 0
	case http.MethodHead:
		row = 1
	}
	if row < 0 || status < 0 || status >= len(t.known[0]) {
		t.requests.with(t.route, method, strconv.Itoa(status)).add(1)
		return
	}
	place := &t.known[row][status]
	c := place.Load()
	if c == nil {
		c = t.requests.with(t.route, method, strconv.Itoa(status))
		place.Store(c)
	}
	c.add(1)
}
