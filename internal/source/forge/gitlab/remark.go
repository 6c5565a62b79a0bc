package gitlab

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// subject is the part of an issue or merge request that we use.
type subject struct {
	IID         int64
	Title       string
	Description string
	URL         string
}

type label struct{ Title string }

// remarkHook is the part of a hook about a note, an issue or a merge request that we use.
type remarkHook struct {
	User struct {
		ID       int64
		Username string
	}
	Project struct {
		Path string `json:"path_with_namespace"`
	}
	Attributes struct {
		subject
		ID       int64
		Note     string
		System   bool
		Action   string
		On       string `json:"noteable_type"` //nolint:misspell // GitLab's spelling
		AuthorID int64  `json:"author_id"`
		Position *struct {
			NewPath string `json:"new_path"`
			OldPath string `json:"old_path"`
			NewLine int    `json:"new_line"`
			OldLine int    `json:"old_line"`
		}
	} `json:"object_attributes"`
	Issue        *subject
	MergeRequest *subject `json:"merge_request"`
	Changes      struct {
		Labels *struct{ Previous, Current []label }
	}
}

// ParseRemark checks the secret and parses an event about a comment or a label on a merge request or an issue.
func ParseRemark(h http.Header, body []byte, secret string) (pull.Remark, error) {
	if err := push.CheckToken(h.Get("X-Gitlab-Token"), secret); err != nil {
		return pull.Remark{}, err
	}
	name := h.Get("X-Gitlab-Event")
	if name != "Note Hook" && name != "Issue Hook" && name != "Merge Request Hook" {
		return pull.Remark{}, push.ErrIgnored
	}
	var p remarkHook
	if err := push.Decode(body, &p); err != nil {
		return pull.Remark{}, err
	}
	r := pull.Remark{Delivery: delivery(h), Repository: p.Project.Path,
		By: pull.Person{Name: p.User.Username, ID: strconv.FormatInt(p.User.ID, 10)}}
	at := &p.Attributes.subject
	if name == "Note Hook" {
		// Versions before 16.1 do not send the action, and send these hooks only for new notes. Confidential notes
		// have a different event.
		if n := p.Attributes; n.System || n.Action != "" && n.Action != "create" || n.AuthorID != p.User.ID || n.ID <= 0 {
			return pull.Remark{}, push.ErrIgnored
		}
		r.Comment, r.Text = strconv.FormatInt(p.Attributes.ID, 10), p.Attributes.Note
		if at = p.MergeRequest; p.Attributes.On == "Issue" {
			at = p.Issue
		}
		if pos := p.Attributes.Position; pos != nil {
			r.File, r.Line = cmp.Or(pos.NewPath, pos.OldPath), cmp.Or(pos.NewLine, pos.OldLine)
		}
	} else {
		r.Labels = p.added()
	}
	if at == nil { // a note on a commit or a snippet
		return pull.Remark{}, push.ErrIgnored
	}
	r.Issue = name == "Issue Hook" || name == "Note Hook" && p.Attributes.On == "Issue"
	r.Number, r.Title, r.Body, r.URL = at.IID, at.Title, at.Description, cmp.Or(p.Attributes.URL, at.URL)
	return rest.CheckRemark(r)
}

// added returns the newly added labels.
func (p remarkHook) added() (names []string) {
	if p.Changes.Labels == nil {
		return nil
	}
	for _, one := range p.Changes.Labels.Current {
		if !slices.Contains(p.Changes.Labels.Previous, one) {
			names = append(names, one.Title)
		}
	}
	return names
}

// MayWrite implements pull.Discussion. Members of the project's own groups and of invited groups count too.
func (h *Host) MayWrite(ctx context.Context, who pull.Person) (bool, error) {
	var out struct {
		State       string
		AccessLevel int `json:"access_level"`
	}
	_, err := h.api.Do(ctx, rest.Call{Path: h.project + "/members/all" + rest.Escape(who.ID), Out: &out})
	if known, err := h.api.KnownPermission(ctx, h.project, err); err != nil || !known {
		return false, err
	}
	if out.AccessLevel <= 0 || out.State == "" {
		return false, h.api.Unreadable("a member without an access level")
	}
	return out.AccessLevel >= developer && out.State == "active", nil
}
