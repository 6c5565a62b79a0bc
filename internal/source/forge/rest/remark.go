package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
)

const (
	longestID  = 100
	mostLabels = 100
)

// CheckRemark limits the texts of an event, and refuses an incomplete one. It ignores events without added labels
// or without an author.
func CheckRemark(r pull.Remark) (pull.Remark, error) {
	switch {
	case strings.Trim(r.Repository, "/") == "" || len(r.Repository) > longestRepository:
		return pull.Remark{}, push.Malformed("The event has no repository.")
	case r.Number <= 0:
		return pull.Remark{}, push.Malformed("The event has no pull request and no issue.")
	case len(r.Delivery) > longestDelivery || len(r.Comment) > longestID:
		return pull.Remark{}, push.Malformed("The event's id is too long.")
	case r.Comment == "" && len(r.Labels) == 0, !plainName(r.By.Name) || r.By.ID != "" && !plainName(r.By.ID):
		return pull.Remark{}, push.ErrIgnored
	}
	r.URL, r.Title, r.File, r.Line = Web(r.URL), Title(r.Title), Line(r.File, maxTitle), max(0, r.Line)
	r.Text, r.Body = bounded(r.Text), bounded(r.Body)
	r.Labels = r.Labels[:min(len(r.Labels), mostLabels)]
	return r, nil
}

// plainName reports whether a name can be part of a path.
func plainName(name string) bool {
	return strings.Trim(name, ".") != "" && !strings.Contains(name, "/") && len(name) <= longestName
}

func bounded(text string) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= maxBody {
		return text
	}
	cut := maxBody
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// Permission asks whether a person may push, in GitHub's format, which Gitea shares.
func (c *Client) Permission(ctx context.Context, repo string, who pull.Person) (bool, error) {
	var out struct{ Permission string }
	_, err := c.Do(ctx, Call{Path: repo + "/collaborators" + Escape(who.Name) + "/permission", Out: &out})
	if allowed, err := c.KnownPermission(ctx, repo, err); err != nil || !allowed {
		return false, err
	}
	if out.Permission == "" {
		return false, c.Unreadable("a permission without a name")
	}
	return slices.Contains([]string{"write", "maintain", "admin", "owner"}, out.Permission), nil
}

// KnownPermission explains the error of a request for a person's permission in the repository at repo. known is false
// if the host does not know the person.
func (c *Client) KnownPermission(ctx context.Context, repo string, err error) (known bool, _ error) {
	if fault.Is(err, fault.Unavailable) { // some hosts respond with 403 when they are busy
		return false, err
	}
	switch Status(err) {
	case http.StatusNotFound:
		_, err = c.Do(ctx, Call{Path: repo}) // the response is the same for an unknown repository
		return false, err
	case http.StatusForbidden, http.StatusUnauthorized:
		if _, wrong := c.Do(ctx, Call{Path: repo}); wrong != nil { // the credential does not work at all
			return false, wrong
		}
		return false, fault.Newf(fault.Forbidden, "permission_unknown",
			"%s does not let this credential read other users' permissions in the repository.%s", c.opt.Name, quoted(Said(err))).
			WithHint("Use a repository administrator's credential.").WithCause(err)
	}
	return err == nil, err
}
