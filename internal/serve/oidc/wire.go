package oidc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// maxAnswer is the maximum size of a provider's response, after decompression.
const maxAnswer = 1 << 20

// bounded reads every response completely, within size and time limits, before the libraries see it. The libraries do
// not pass on what kind of error occurred while reading, so bounded determines it: if there is no response, or the
// response is too large or says to retry later, the error is a Silence.
type bounded struct {
	next http.RoundTripper
	life time.Duration
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), b.life)
	defer cancel()
	answer, err := b.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return nil, &idpfault.Silence{Err: err}
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, &idpfault.Silence{Err: fmt.Errorf("read response: %w", err)}
	}
	if len(body) > maxAnswer {
		return nil, &idpfault.Silence{Err: fmt.Errorf("the response is larger than %d bytes", maxAnswer)}
	}
	if answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests {
		return nil, &idpfault.Silence{Err: fmt.Errorf("the response status is %d", answer.StatusCode)}
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}
