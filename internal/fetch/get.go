package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// Getter makes a function that gets one small document. An answer other than 200 is an error. Who names the address is not trusted: the
// guard decides at dial time where it may lead.
func (g *Guard) Getter(limits Limits) func(ctx context.Context, url string) ([]byte, error) {
	client := g.Client(limits)
	return func(ctx context.Context, url string) ([]byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, fmt.Errorf("get document: %w", err)
		}
		r, err := client.Do(req)
		if err != nil {
			return nil, fmt.Errorf("get document: %w", err)
		}
		defer func() { _ = r.Body.Close() }() // read to its end or given up
		if r.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("get document: the host answers %d", r.StatusCode)
		}
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, fmt.Errorf("get document: %w", err)
		}
		return data, nil
	}
}
