package github

import (
	"net/http"
	"strconv"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/push"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

// subject is the part of an issue or pull request that we use.
type subject struct {
	Number  int64
	HTMLURL string `json:"html_url"`
	Title   string
	Body    string
	Pull    *struct{} `json:"pull_request"` // set if the issue is a pull request
}

// ParseRemark checks the signature and parses an event about a comment or a label on a pull request or an issue.
func ParseRemark(h http.Header, body []byte, secret string) (pull.Remark, error) {
	body, err := open(h, body, secret)
	if err != nil {
		return pull.Remark{}, err
	}
	var p struct {
		Action      string
		Issue       *subject
		PullRequest *subject `json:"pull_request"`
		Comment     *struct {
			comment
			HTMLURL string `json:"html_url"`
		}
		Label      struct{ Name string }
		Repository struct {
			FullName string `json:"full_name"`
		}
		Sender struct{ Login string }
	}
	name := h.Get("X-GitHub-Event")
	switch name {
	case "issue_comment", "pull_request_review_comment", "issues", "pull_request":
	default:
		return pull.Remark{}, push.ErrIgnored
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Remark{}, err
	}
	at := p.PullRequest
	if at == nil {
		at = p.Issue
	}
	if at == nil {
		return pull.Remark{}, push.ErrIgnored
	}
	r := pull.Remark{Delivery: h.Get("X-GitHub-Delivery"), Repository: p.Repository.FullName, Number: at.Number,
		URL: at.HTMLURL, Title: at.Title, Body: at.Body, Issue: p.PullRequest == nil && at.Pull == nil}
	switch c := p.Comment; {
	case c != nil && c.ID > 0 && p.Action == "created":
		one := c.comment.comment("comment")
		r.Comment, r.Text, r.URL, r.By.Name = name+"-"+strconv.FormatInt(c.ID, 10), c.Body, c.HTMLURL, c.User.Login
		r.File, r.Line = one.File, one.Line
	case c == nil && p.Action == "labeled":
		r.By.Name, r.Labels = p.Sender.Login, []string{p.Label.Name}
	default:
		return pull.Remark{}, push.ErrIgnored
	}
	return rest.CheckRemark(r)
}
