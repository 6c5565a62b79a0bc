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

// getError says why a document could not be fetched, for the author who named its address. It never reveals what a name
// resolved to.
type getError struct {
	text    string
	passing bool // another try may succeed
	cause   error
}

func (e *getError) Error() string { return e.text }
func (e *getError) Unwrap() error { return e.cause }

// Getter makes a function that gets one small document, without credentials. An answer other than 200 is an error. Who
// names the address is not trusted: the guard decides at dial time where it may lead. Failures that may pass are tried
// again as often as limits say.
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
	defer func() { _ = r.Body.Close() }() // read to its end or given up
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

// reason words an error of the exchange; otherwise is for those that are neither a refusal of ours nor a timeout.
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

// Explain says why an exchange with a client of a guard failed, in words for the person who named the address. They never
// reveal what a name resolved to.
func Explain(ctx context.Context, err error) string {
	return reason(ctx, err, "the host cannot be reached").text
}

// sleep reports whether it lasted to its end.
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
