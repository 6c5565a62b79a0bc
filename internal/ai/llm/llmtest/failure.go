package llmtest

import (
	"net/http"
	"slices"
	"strings"
)

// Failure is a way in which a request can fail.
type Failure string

// The failures.
const (
	RateLimited   Failure = "rate_limited"    // 429, retry-after 7 seconds
	RateLimitedMs Failure = "rate_limited_ms" // 429, retry-after-ms 1500
	LongAfter     Failure = "long_after"      // 429, retry-after an hour
	Overloaded    Failure = "overloaded"      // 529, or 503 in the other format
	Broken        Failure = "broken"          // 500 with a page of HTML
	Quota         Failure = "quota"           // the account has no credit left
	TooLong       Failure = "too_long"        // the conversation is longer than the model accepts
	BadRequest    Failure = "bad_request"     // 400, with a message that contains the key
	Elsewhere     Failure = "elsewhere"       // a redirect to another host
	CutAtStart    Failure = "cut_at_start"    // the connection closes before an answer
	CutInside     Failure = "cut_inside"      // the connection closes in the middle of the answer
	EndsEarly     Failure = "ends_early"      // the answer ends in the middle as if it were complete
	FailsInside   Failure = "fails_inside"    // an error event in the middle of the answer: overloaded
	Garbage       Failure = "garbage"         // an event that is not JSON
	Page          Failure = "page"            // 200 with a page of HTML
	Endless       Failure = "endless"         // an answer that does not end
	EndlessLine   Failure = "endless_line"    // an event that does not end
	Silent        Failure = "silent"          // half an answer, then nothing until the client disconnects
)

var failures = []Failure{RateLimited, RateLimitedMs, LongAfter, Overloaded, Broken, Quota, TooLong, BadRequest,
	Elsewhere, CutAtStart, CutInside,
	EndsEarly, FailsInside, Garbage, Page, Endless, EndlessLine, Silent}

func (t Failure) known() bool { return slices.Contains(failures, t) }

// refusals are the failures that consist of a response with an error status. Each has the status and the error type in
// each format, and the text.
var refusals = map[Failure]struct {
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

// refuse responds with an error in the server's format.
func (s *Server) refuse(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(s.dialect.failure(kind, text)) // the client may have disconnected
}

// play simulates a failure; it returns true if the request is finished.
func (s *Server) play(w http.ResponseWriter, r *http.Request, t Failure) bool {
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

// endless writes chunks of 64 KiB or more until the client disconnects.
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
