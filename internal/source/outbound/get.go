package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// getError explains to the author who chose an address why it could not be fetched. It never reveals what a name
// resolved to.
type getError struct {
	text    string
	passing bool // a retry may succeed
	cause   error
}

func (e *getError) Error() string { return e.text }
func (e *getError) Unwrap() error { return e.cause }

// Getter returns a function that fetches a small document without credentials. A status other than 200 is an error.
// The address is untrusted: the guard checks its target when dialing. Temporary failures are retried as configured
// in limits.
func (g *Guard) Getter(limits Limits) func(ctx context.Context, url string) ([]byte, error) {
	limits = limits.orDefault()
	client := g.Client(limits)
	return func(ctx context.Context, url string) ([]byte, error) {
		pause := limits.Pause
		for tries := 0; ; tries++ {
			data, err := getOnce(ctx, client, url)
			if err == nil || !err.passing || tries >= limits.Retries || !sleep(ctx, pause) {
				if err == nil {
					return data, nil
				}
				return nil, err
			}
			pause *= 2
		}
	}
}

func getOnce(ctx context.Context, client *http.Client, url string) ([]byte, *getError) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, &getError{text: "it is not a valid address", cause: err}
	}
	r, err := client.Do(req)
	if err != nil {
		return nil, reason(ctx, err, "the host cannot be reached")
	}
	defer func() { _ = r.Body.Close() }() // already read, or not needed any more
	if r.StatusCode != http.StatusOK {
		passing := r.StatusCode >= 500 || r.StatusCode == http.StatusTooManyRequests ||
			r.StatusCode == http.StatusRequestTimeout
		return nil, &getError{text: fmt.Sprintf("the host returned status %d", r.StatusCode), passing: passing}
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, reason(ctx, err, "the response is incomplete")
	}
	return data, nil
}

// reason describes a failed request in words; otherwise is the text for errors that are neither our own refusal nor
// a timeout.
func reason(ctx context.Context, err error, otherwise string) *getError {
	var slow net.Error
	var unknown *net.DNSError
	f, refused := fault.As(err)
	switch {
	case ctx.Err() != nil:
		return &getError{text: "the request was canceled", cause: ctx.Err()}
	case refused:
		return &getError{text: f.Sentence(), cause: err}
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return &getError{text: "the host took too long to respond", passing: true, cause: err}
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return &getError{text: "the host does not exist", cause: err}
	}
	return &getError{text: otherwise, passing: true, cause: err}
}

// Explain describes why a request with a guard's client failed, for the person who chose the address. It never
// reveals what a name resolved to.
func Explain(ctx context.Context, err error) string {
	return reason(ctx, err, "the host cannot be reached").text
}

// sleep waits for d. It returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
