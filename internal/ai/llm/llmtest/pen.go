package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// pen writes a stream of events. A failure within the stream happens in its middle.
type pen struct {
	w       http.ResponseWriter
	gone    <-chan struct{} // closed when the client disconnects
	failure Failure
	events  []event
	whole   any // sent instead of a stream; nil for a stream
}

type event struct {
	name string // "" = unnamed
	data string
}

func (p *pen) add(name string, data any) {
	if text, ok := data.(string); ok {
		p.events = append(p.events, event{name, text})
		return
	}
	b, err := json.Marshal(data)
	if err != nil {
		panic(err) // a bug in this package
	}
	p.events = append(p.events, event{name, string(b)})
}

// end sends the events. Errors are ignored: the client may disconnect at any time.
func (p *pen) end(d dialect) {
	if p.whole != nil {
		p.w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(p.w).Encode(p.whole)
		return
	}
	p.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for i, e := range p.events {
		if p.failure != "" && i == len(p.events)/2 {
			p.fail(d, e)
			return
		}
		p.send(e)
	}
}

func (p *pen) send(e event) {
	if e.name != "" {
		_, _ = fmt.Fprintf(p.w, "event: %s\n", e.name)
	}
	_, _ = fmt.Fprintf(p.w, "data: %s\n\n", e.data)
	_ = http.NewResponseController(p.w).Flush()
}

// fail produces the failure in place of event e.
func (p *pen) fail(d dialect, e event) {
	switch p.failure {
	case CutInside:
		_, _ = fmt.Fprintf(p.w, "data: %s", e.data[:len(e.data)/2])
		_ = http.NewResponseController(p.w).Flush()
		panic(http.ErrAbortHandler)
	case EndsEarly:
	case FailsInside:
		p.send(event{"error", string(d.failure("overloaded_error", "Overloaded"))})
	case Garbage:
		p.send(event{e.name, e.data[:len(e.data)/2]})
	case Silent:
		<-p.gone
	}
}

// pieces splits text into pieces of a few bytes, but never within a character.
func pieces(s string) []string {
	const size = 7
	var out []string
	begin := 0
	for i := range s {
		if i-begin >= size {
			out = append(out, s[begin:i])
			begin = i
		}
	}
	return append(out, s[begin:])
}
