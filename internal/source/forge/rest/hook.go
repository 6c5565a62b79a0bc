package rest

import (
	"context"
	"maps"
	"net/http"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
)

// Hooks describes a driver's requests for the webhooks of one repository.
type Hooks struct {
	Repository string // path in the API
	Path       string // path of its webhooks; the id is appended for a single one
	// List returns one page of its webhooks, and the position of the next page. at is 0 for the first page; next is
	// 0 after the last one.
	List    func(ctx context.Context, at int) (list []HookRow, next int, err error)
	Body    map[string]any // content of a webhook
	OnlyNew map[string]any // additional content when it is created; nil = none
	Change  string         // HTTP method for changing a webhook
	Needs   string         // the permission that the host requires, as a sentence
}

// write returns the request that creates a webhook or, if id is not empty, changes that one.
func (h Hooks) write(id string) Call {
	if id != "" {
		return Call{Method: h.Change, Path: h.Path + Escape(id), In: h.Body}
	}
	in := maps.Clone(h.Body)
	maps.Copy(in, h.OnlyNew)
	return Call{Method: http.MethodPost, Path: h.Path, In: in}
}

// HookRow is a webhook in a host's list.
type HookRow struct{ ID, URL string }

// PutHook creates or changes a webhook, see connect.Place.
func (c *Client) PutHook(ctx context.Context, h Hooks, hook connect.Hook) (connect.Outcome, error) {
	id, err := c.findHook(ctx, h, hook.URL)
	if err != nil {
		return "", err
	}
	outcome := connect.Created
	switch {
	case id != "":
		outcome = connect.Changed
	case hook.OnlyChange:
		return connect.Absent, nil
	}
	call := h.write(id)
	call.Hide = hook.Secret
	if _, err = c.Do(ctx, call); err != nil {
		return "", c.hookRefused(ctx, h, err)
	}
	return outcome, nil
}

// DeleteHook deletes the webhook with the given address.
func (c *Client) DeleteHook(ctx context.Context, h Hooks, address string) error {
	id, err := c.findHook(ctx, h, address)
	if err != nil || id == "" {
		return err
	}
	if _, err = c.Do(ctx, Call{Method: http.MethodDelete, Path: h.Path + Escape(id)}); Status(err) == http.StatusNotFound {
		return nil // someone else has deleted it
	}
	return c.hookRefused(ctx, h, err)
}

// HookRight reports whether the credential may list webhooks, which hosts permit only if the account may also change
// them.
func (c *Client) HookRight(ctx context.Context, h Hooks) (connect.Right, error) {
	_, _, err := h.List(ctx, 0)
	if fault.Is(err, fault.Unavailable) { // some hosts respond with 403 when they are busy
		return connect.Unknown, err
	}
	switch Status(err) {
	case http.StatusForbidden, http.StatusNotFound, http.StatusUnauthorized:
		return connect.Missing, nil
	}
	if err != nil {
		return connect.Unknown, err
	}
	return connect.Allowed, nil
}

func (c *Client) findHook(ctx context.Context, h Hooks, address string) (string, error) {
	at := 0
	for range maxPages {
		list, next, err := h.List(ctx, at)
		if err != nil {
			return "", c.hookRefused(ctx, h, err)
		}
		for _, one := range list {
			if one.URL == address {
				return one.ID, nil
			}
		}
		if at = next; at == 0 {
			break
		}
	}
	return "", nil
}

// hookRefused explains a refusal: if the repository is readable, the permission for webhooks is missing.
func (c *Client) hookRefused(ctx context.Context, h Hooks, said error) error {
	if s := Status(said); s != http.StatusForbidden && s != http.StatusNotFound && s != http.StatusUnauthorized ||
		fault.Is(said, fault.Unavailable) {
		return said
	}
	if _, err := c.Do(ctx, Call{Path: h.Repository}); err != nil {
		return err
	}
	return fault.Newf(fault.Forbidden, "webhook_permission_missing",
		"%s does not let this credential manage the repository's webhooks.%s", c.opt.Name, quoted(Said(said))).
		WithHint(h.Needs).WithCause(said)
}
