package devserve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// news is what browsers receive. Pages are URL paths; Whole means all of them.
type news struct {
	Rev      int      `json:"rev"` // counts changes of what is shown
	Whole    bool     `json:"whole,omitempty"`
	Pages    []string `json:"pages,omitempty"`
	Findings bool     `json:"findings,omitempty"` // ask for the findings again
}

// hub passes news to every open page and remembers the last of it for pages that were loading meanwhile.
type hub struct {
	mu     sync.Mutex
	now    int
	recent []news
	open   map[chan news]bool
}

const (
	remembered = 64 // news; who missed more loads the page again
	backlog    = 16 // news that a slow browser may have before it, else its connection ends and it comes back
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

// join returns what came after rev, and a channel for what comes.
func (h *hub) join(rev int) ([]news, chan news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan news, backlog)
	h.open[c] = true
	if rev > h.now || len(h.recent) == remembered && h.recent[0].Rev > rev { // of another run, or too long ago
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

// events is a stream of news. The page says which revision it shows.
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
	beat := time.NewTicker(20 * time.Second) // so that a browser that is gone is noticed
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
	if err != nil { // it holds only text and numbers
		return ""
	}
	return "data: " + string(data) + "\n\n"
}
