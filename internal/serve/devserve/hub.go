package devserve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// news is a change notification for browsers. Pages are URL paths; Whole means all pages.
type news struct {
	Rev      int      `json:"rev"` // revision of the displayed state
	Whole    bool     `json:"whole,omitempty"`
	Pages    []string `json:"pages,omitempty"`
	Findings bool     `json:"findings,omitempty"` // tells the page to request the findings again
}

// hub sends news to every open page and keeps recent news for pages that were loading at the time.
type hub struct {
	mu     sync.Mutex
	now    int
	recent []news
	open   map[chan news]bool
}

const (
	remembered = 64 // messages kept; a page that missed more reloads
	backlog    = 16 // messages queued for a slow browser; beyond that it is disconnected and reconnects
)

func newHub() *hub { return &hub{open: map[chan news]bool{}} }

func (h *hub) rev() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hub) send(n news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n.Whole || len(n.Pages) > 0 {
		h.now++
	}
	n.Rev = h.now
	if h.recent = append(h.recent, n); len(h.recent) > remembered {
		h.recent = h.recent[1:]
	}
	for c := range h.open {
		select {
		case c <- n:
		default:
			delete(h.open, c)
			close(c)
		}
	}
}

// join returns the news since rev, and a channel for further news.
func (h *hub) join(rev int) ([]news, chan news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan news, backlog)
	h.open[c] = true
	if rev > h.now || len(h.recent) == remembered && h.recent[0].Rev > rev { // rev is from another run, or too old
		return []news{{Rev: h.now, Whole: true}}, c
	}
	var missed []news
	for _, n := range h.recent {
		if n.Rev > rev {
			missed = append(missed, n)
		}
	}
	return missed, c
}

func (h *hub) leave(c chan news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, c)
}

// events streams news. The request contains the revision that the page shows.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	rev, err := strconv.Atoi(r.URL.Query().Get("rev"))
	if err != nil {
		rev = s.hub.rev()
	}
	missed, c := s.hub.join(rev)
	defer s.hub.leave(c)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	write := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	if !write("retry: 500\n\n") {
		return
	}
	beat := time.NewTicker(20 * time.Second) // detects browsers that disconnected
	defer beat.Stop()
	for _, n := range missed {
		if !write(n.event()) {
			return
		}
	}
	for {
		text := ":\n\n"
		select {
		case <-r.Context().Done():
			return
		case n, ok := <-c:
			if !ok {
				return
			}
			text = n.event()
		case <-beat.C:
		}
		if !write(text) {
			return
		}
	}
}

func (n news) event() string {
	data, err := json.Marshal(n)
	if err != nil { // cannot happen: only text and numbers
		return ""
	}
	return "data: " + string(data) + "\n\n"
}
