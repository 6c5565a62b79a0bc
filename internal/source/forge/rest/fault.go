package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// longestWait bounds what a host may ask us to wait.
const longestWait = time.Hour

// statusError is a host's refusal, kept as the cause of the fault it became.
type statusError struct {
	status int
	said   string
}

func (a *statusError) Error() string { return "HTTP status " + strconv.Itoa(a.status) }

// Status returns the HTTP status of the refusal in err's chain; 0 if there is none.
func Status(err error) int {
	var a *statusError
	if !errors.As(err, &a) {
		return 0
	}
	return a.status
}

// Said returns the host's message in err's chain, cleaned; "" without one.
func Said(err error) string {
	var a *statusError
	if !errors.As(err, &a) {
		return ""
	}
	return a.said
}

// Missing is the fault for a pull request that is not there, in a repository that is.
func Missing() error {
	return fault.New(fault.NotFound, "unknown_pull", "Pull request not found.")
}

// One gets the pull request of a number into out; right reports whether it is that one. Hosts give the same answer for
// an unknown pull request and an unknown repository, so One then requests the repository, which is at repo.
func (c *Client) One(ctx context.Context, at, repo string, out any, right func() bool) error {
	_, err := c.Do(ctx, Call{Path: at, Out: out})
	switch {
	case Status(err) == http.StatusNotFound:
		if _, gone := c.Do(ctx, Call{Path: repo}); gone != nil {
			return gone
		}
		return Missing()
	case err == nil && !right():
		return c.Unreadable("another pull request than asked for")
	}
	return err
}

// refused turns an answer that is no success into a fault.
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

// unreached is for requests without an answer. A fault in the chain, such as a blocked address, is the better
// explanation.
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

// unreadable is for answers that are not what an API says. They may come from something between us and the host, so
// trying again helps.
func (c *Client) unreadable(cause error) error {
	return fault.Newf(fault.Unavailable, "forge_bad_answer", "The response of %s cannot be read.", c.opt.Name).
		WithHint("Check that the address is the code host's API address, and that no proxy changes its responses.").
		WithCause(cause)
}

// Unreadable is for an answer that is JSON but lacks what the driver must have.
func (c *Client) Unreadable(what string) error { return c.unreadable(errors.New(what)) }

// retryAfter reads the header of that name: seconds or a date; 0 if there is none.
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

// NoBranch explains a "not found" to a request for a pull request: without the repository that is what it says, else a
// branch is missing.
func (c *Client) NoBranch(ctx context.Context, repository string, said error) error {
	if _, err := c.Do(ctx, Call{Path: repository}); err != nil {
		return err
	}
	return fault.Newf(fault.Invalid, "forge_refused", "The branch does not exist on %s.%s", c.opt.Name,
		quoted(Said(said))).WithCause(said)
}

// Grave drops the refusal of something that may be left out; a host that is busy or an answer that cannot be read stays
// an error.
func Grave(err error) error {
	if fault.Is(err, fault.Unavailable) || Status(err) == 0 {
		return err
	}
	return nil
}
