package bitbucket

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// ParseRemark checks X-Hub-Signature and parses an event about a comment on a pull request of either product, or on
// an issue of Bitbucket Cloud. Neither product has labels.
func ParseRemark(h http.Header, body []byte, secret string) (pull.Remark, error) {
	delivery, err := check(h, body, secret)
	if err != nil {
		return pull.Remark{}, err
	}
	var r pull.Remark
	switch key := h.Get("X-Event-Key"); key {
	case "pullrequest:comment_created", "issue:comment_created":
		r, err = cloudRemark(body, key == "issue:comment_created")
	case "pr:comment:added":
		r, err = centerRemark(body)
	default:
		return pull.Remark{}, push.ErrIgnored
	}
	if err != nil {
		return pull.Remark{}, err
	}
	r.Delivery = delivery
	return rest.CheckRemark(r)
}

type cloudText struct{ Raw string }

func cloudRemark(body []byte, issue bool) (pull.Remark, error) {
	var p struct {
		PullRequest cloudPull
		Issue       struct {
			ID      int64
			Title   string
			Content cloudText
		}
		Comment struct {
			ID      int64
			Content cloudText
			User    cloudUser
			Inline  *struct {
				Path     string
				From, To int
			}
			Links struct{ HTML struct{ Href string } }
		}
		Repository struct {
			FullName string `json:"full_name"`
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Remark{}, err
	}
	c := p.Comment
	if c.ID <= 0 || c.User.UUID == "" { // a person without an account
		return pull.Remark{}, push.ErrIgnored
	}
	r := pull.Remark{Repository: p.Repository.FullName, Issue: issue, Comment: strconv.FormatInt(c.ID, 10), Text: c.Content.Raw,
		URL: c.Links.HTML.Href, By: pull.Person{Name: cmp.Or(c.User.Nickname, c.User.UUID), ID: c.User.UUID},
		Number: p.PullRequest.ID, Title: p.PullRequest.Title, Body: p.PullRequest.Description}
	if issue {
		r.Number, r.Title, r.Body, r.Comment = p.Issue.ID, p.Issue.Title, p.Issue.Content.Raw, "issue-"+r.Comment
	}
	if c.Inline != nil {
		r.File, r.Line = c.Inline.Path, cmp.Or(c.Inline.To, c.Inline.From)
	}
	return r, nil
}

func centerRemark(body []byte) (pull.Remark, error) {
	var p struct {
		PullRequest centerPull
		Comment     struct {
			ID     int64
			Text   string
			Author centerUser
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Remark{}, err
	}
	if p.Comment.ID <= 0 {
		return pull.Remark{}, push.ErrIgnored
	}
	at := p.PullRequest
	return pull.Remark{Repository: at.ToRef.repository(), Number: at.ID, URL: at.address(), Title: at.Title, Body: at.Description,
		Comment: strconv.FormatInt(p.Comment.ID, 10), Text: p.Comment.Text, By: pull.Person{Name: p.Comment.Author.Name}}, nil
}

// MayWrite implements pull.Discussion. The host returns only permissions granted in the repository itself.
func (h *Cloud) MayWrite(ctx context.Context, who pull.Person) (bool, error) {
	var out struct{ Permission string }
	_, err := h.api.Do(ctx, rest.Call{Path: h.repo + "/permissions-config/users" + rest.Escape(who.ID), Out: &out})
	if known, err := h.api.KnownPermission(ctx, h.repo, err); err != nil || !known {
		return false, err
	}
	if out.Permission == "" {
		return false, h.api.Unreadable("a permission without a name")
	}
	return out.Permission == "write" || out.Permission == "admin", nil
}

// MayWrite implements pull.Discussion. The host returns permissions granted to users in the repository or its
// project, but not those of groups.
func (h *Center) MayWrite(ctx context.Context, who pull.Person) (bool, error) {
	project, _, _ := strings.Cut(h.repo, "/repos/")
	for path, levels := range map[string][]string{h.repo: {"REPO_WRITE", "REPO_ADMIN"}, project: {"PROJECT_WRITE", "PROJECT_ADMIN"}} {
		var page struct {
			Values []struct {
				User       centerUser
				Permission string
			}
		}
		_, err := h.api.Do(ctx, rest.Call{Path: path + "/permissions/users", Out: &page,
			Query: url.Values{"filter": {who.Name}, "limit": {"100"}}})
		if path == project && (rest.Status(err) == http.StatusUnauthorized || rest.Status(err) == http.StatusForbidden) {
			continue // the credential is only an administrator of the repository
		}
		if known, err := h.api.KnownPermission(ctx, h.repo, err); err != nil || !known {
			return false, err
		}
		if page.Values == nil {
			return false, h.api.Unreadable("a page without values")
		}
		for _, one := range page.Values { // the filter also matches parts of names
			if one.User.Name == who.Name && slices.Contains(levels, one.Permission) {
				return true, nil
			}
		}
	}
	return false, nil
}
