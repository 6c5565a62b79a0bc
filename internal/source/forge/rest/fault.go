package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// longestWait limits the delay that a host may request.
const longestWait = time.Hour

// statusError is a host's error response, stored as the cause of a fault.
type statusError struct {
	status int
	said   string
}

func (a *statusError) Error() string { return "HTTP status " + strconv.Itoa(a.status) }

// Status returns the HTTP status of the error response in err's chain, or 0 if there is none.
func Status(err error) int {
	var a *statusError
	if !errors.As(err, &a) {
		return 0
	}
	return a.status
}

// Said returns the host's sanitized message in err's chain, or "" if there is none.
func Said(err error) string {
	var a *statusError
	if !errors.As(err, &a) {
		return ""
	}
	return a.said
}

// Missing returns the fault for a missing pull request in an existing repository.
func Missing() error {
	return fault.New(fault.NotFound, "unknown_pull", "Pull request not found.")
}

// One requests a pull request and decodes it into out. right reports whether the response contains the requested pull
// request.
func (c *Client) One(ctx context.Context, at, repo string, out any, right func() bool) error {
	return c.within(ctx, at, repo, out, right, Missing())
}

// within requests a part of a repository and decodes it into out. right reports whether the response contains the
// requested part. Hosts respond in the same way if the part is unknown and if the repository is unknown, so within also
// requests the repository at repo before it returns missing.
func (c *Client) within(ctx context.Context, at, repo string, out any, right func() bool, missing error) error {
	_, err := c.Do(ctx, Call{Path: at, Out: out})
	switch {
	case Status(err) == http.StatusNotFound:
		if _, gone := c.Do(ctx, Call{Path: repo}); gone != nil {
			return gone
		}
		return missing
	case err == nil && !right():
		return c.Unreadable("a different object from the one requested")
	}
	return err
}

// refused converts an error response to a fault.
func (c *Client) refused(resp *http.Response, body []byte, hidden []string) error {
	a := &statusError{status: resp.StatusCode, said: sentence(body, hidden)}
	wait, over := retryAfter(resp.Header, c.opt.Now), false
	if c.opt.Limited != nil && a.status == http.StatusForbidden {
		var w time.Duration
		if w, over = c.opt.Limited(resp.Header); over && w > wait {
			wait = min(w, longestWait)
		}
	}
	switch {
	case over, a.status == http.StatusTooManyRequests, a.status == http.StatusRequestTimeout, a.status >= 500:
		return c.busy(a).WithRetryAfter(wait)
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return fault.Newf(fault.Forbidden, "forge_key_refused", "%s rejected the project's credential.%s", c.opt.Name,
			quoted(a.said)).
			WithHint(
				"The credential must be valid and have write access to the repository's contents and pull requests.").
			WithCause(a)
	case a.status == http.StatusNotFound, a.status == http.StatusGone:
		return fault.Newf(fault.NotFound, "forge_not_found",
			"%s does not have this repository, or the project's credential cannot read it.", c.opt.Name).
			WithHint("Check the repository's address and the credential's permissions.").WithCause(a)
	case a.status < 400:
		return fault.Newf(fault.Invalid, "forge_refused", "%s redirects to another address.", c.opt.Name).
			WithHint("If the repository has moved, set its new address in the project.").WithCause(a)
	}
	return fault.Newf(fault.Invalid, "forge_refused", "%s rejected the request.%s", c.opt.Name, quoted(a.said)).
		WithCause(a)
}

func quoted(said string) string {
	if said == "" {
		return ""
	}
	return " Message: " + said
}

func (c *Client) busy(cause error) *fault.Error {
	return fault.Newf(fault.Unavailable, "forge_busy", "%s cannot be reached or is too busy at the moment.",
		c.opt.Name).WithCause(cause)
}

// unreached converts an error without a response. A fault in the chain, such as a blocked address, is preferred
// because it explains more.
func (c *Client) unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f, ok := fault.As(err); ok && f.Code != "response_too_large" {
		return f
	}
	if fault.HasCode(err, "response_too_large") {
		return c.unreadable(err)
	}
	return c.busy(err)
}

// unreadable returns the fault for a response that is not valid for the API. It may come from a proxy in between, so a
// retry can help.
func (c *Client) unreadable(cause error) error {
	return fault.Newf(fault.Unavailable, "forge_bad_answer", "The response from %s cannot be read.", c.opt.Name).
		WithHint("Check that the address is the code host's API address, and that no proxy changes its responses.").
		WithCause(cause)
}

// Unreadable returns the fault for a JSON response without a required field.
func (c *Client) Unreadable(what string) error { return c.unreadable(errors.New(what)) }

// retryAfter parses the Retry-After header, which has seconds or a date. It returns 0 if there is none.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil {
		return min(max(0, time.Duration(min(n, 86_400))*time.Second), longestWait)
	}
	if at, err := http.ParseTime(text); err == nil && now != nil {
		return min(max(0, at.Sub(now())), longestWait)
	}
	return 0
}

// NoBranch explains a "not found" response to the creation of a pull request: either the repository or a branch is
// missing.
func (c *Client) NoBranch(ctx context.Context, repository string, said error) error {
	if _, err := c.Do(ctx, Call{Path: repository}); err != nil {
		return err
	}
	return fault.Newf(fault.Invalid, "forge_refused", "The branch does not exist on %s.%s", c.opt.Name,
		quoted(Said(said))).WithCause(said)
}

// Grave returns nil if the host refused an optional request. A busy host or an invalid response remains an error.
func Grave(err error) error {
	if fault.Is(err, fault.Unavailable) || Status(err) == 0 {
		return err
	}
	return nil
}
