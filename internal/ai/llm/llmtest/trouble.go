package llmtest

import (
	"net/http"
	"slices"
	"strings"
)

// Trouble is something that goes wrong with a request.
type Trouble string

// The troubles.
const (
	RateLimited   Trouble = "rate_limited"    // 429, retry-after 7 seconds
	RateLimitedMs Trouble = "rate_limited_ms" // 429, retry-after-ms 1500
	LongAfter     Trouble = "long_after"      // 429, retry-after an hour
	Overloaded    Trouble = "overloaded"      // 529, or 503 in the other format
	Broken        Trouble = "broken"          // 500 with a page of HTML
	Quota         Trouble = "quota"           // the account has no money left
	TooLong       Trouble = "too_long"        // the conversation is longer than the model takes
	BadRequest    Trouble = "bad_request"     // 400, for a reason that shows the key
	Elsewhere     Trouble = "elsewhere"       // a redirect to another host
	CutAtStart    Trouble = "cut_at_start"    // the connection ends before an answer
	CutInside     Trouble = "cut_inside"      // the connection ends in the middle of the answer
	EndsEarly     Trouble = "ends_early"      // the answer ends in the middle as if it were complete
	FailsInside   Trouble = "fails_inside"    // an error event in the middle of the answer: overloaded
	Garbage       Trouble = "garbage"         // an event that is no JSON
	Page          Trouble = "page"            // 200 with a page of HTML
	Endless       Trouble = "endless"         // an answer that does not end
	EndlessLine   Trouble = "endless_line"    // an event that does not end
	Silent        Trouble = "silent"          // half an answer, then nothing until the client goes
)

var troubles = []Trouble{RateLimited, RateLimitedMs, LongAfter, Overloaded, Broken, Quota, TooLong, BadRequest,
	Elsewhere, CutAtStart, CutInside,
	EndsEarly, FailsInside, Garbage, Page, Endless, EndlessLine, Silent}

func (t Trouble) known() bool { return slices.Contains(troubles, t) }

// refusals are the troubles that are an answer with a status: which, the kind of error in each format, and its text.
var refusals = map[Trouble]struct {
	anthropic, openai int
	kinds             [2]string
	text              string
}{
	RateLimited:   {429, 429, [2]string{"rate_limit_error", "rate_limit_exceeded"}, "Too many requests."},
	RateLimitedMs: {429, 429, [2]string{"rate_limit_error", "rate_limit_exceeded"}, "Too many requests."},
	LongAfter:     {429, 429, [2]string{"rate_limit_error", "rate_limit_exceeded"}, "Too many requests."},
	Overloaded:    {529, 503, [2]string{"overloaded_error", "server_error"}, "Overloaded."},
	Quota: {400, 429, [2]string{"invalid_request_error", "insufficient_quota"},
		"Your credit balance is too low."},
	TooLong: {400, 400, [2]string{"invalid_request_error", "context_length_exceeded"},
		"prompt is too long: 210000 tokens > 200000 maximum"},
	BadRequest: {400, 400, [2]string{"invalid_request_error", "invalid_value"}, "no such field; your key is "},
}

// refuse answers with an error of the format.
func (s *Server) refuse(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(s.dialect.trouble(kind, text)) // the client may have gone
}

// play lets a trouble happen; it returns true if the request is done with.
func (s *Server) play(w http.ResponseWriter, r *http.Request, t Trouble) bool {
	if f, ok := refusals[t]; ok {
		status, kind, text := f.anthropic, f.kinds[0], f.text
		if s.opt.Dialect == OpenAI {
			status, kind = f.openai, f.kinds[1]
		}
		switch t {
		case RateLimited:
			w.Header().Set("Retry-After", "7")
		case RateLimitedMs:
			w.Header().Set("Retry-After-Ms", "1500")
		case LongAfter:
			w.Header().Set("Retry-After", "3600")
		case BadRequest:
			text += s.opt.Key
		}
		s.refuse(w, status, kind, text)
		return true
	}
	switch t {
	case Broken:
		http.Error(w, "<html><body>Bad things</body></html>", http.StatusInternalServerError)
	case Elsewhere:
		http.Redirect(w, r, s.elsewhere.URL+s.dialect.path(), http.StatusTemporaryRedirect)
	case CutAtStart:
		panic(http.ErrAbortHandler)
	case Page:
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>Welcome to the gateway</html>"))
	case Endless:
		s.endless(w, s.dialect.filler())
	case EndlessLine:
		s.endless(w, "x")
	default:
		return false
	}
	return true
}

// endless writes until the client goes: a kilobyte and more at a time.
func (s *Server) endless(w http.ResponseWriter, unit string) {
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := []byte(strings.Repeat(unit, 1+(64<<10)/len(unit)))
	if unit == "x" {
		_, _ = w.Write([]byte("data: "))
	}
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}
