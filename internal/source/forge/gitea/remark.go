package gitea

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
	Labels  []struct{ Name string }
}

// ParseRemark checks the signature and parses an event about a comment or changed labels on a pull request or an
// issue. The host does not say which labels are new.
func ParseRemark(h http.Header, body []byte, secret string) (pull.Remark, error) {
	if err := push.CheckHMAC(header(h, "Signature"), body, secret); err != nil {
		return pull.Remark{}, err
	}
	var p struct {
		Action      string
		IsPull      bool `json:"is_pull"`
		Issue       *subject
		PullRequest *subject `json:"pull_request"`
		Comment     struct {
			ID      int64
			HTMLURL string `json:"html_url"`
			Body    string
			User    struct{ Login string }
		}
		Repository struct {
			FullName string `json:"full_name"`
		}
		Sender struct{ Login string }
	}
	name := header(h, "Event")
	if name != "issue_comment" && name != "issues" && name != "pull_request" {
		return pull.Remark{}, push.ErrIgnored
	}
	if err := push.Decode(body, &p); err != nil {
		return pull.Remark{}, err
	}
	at := p.Issue
	if at == nil {
		at = p.PullRequest
	}
	if at == nil {
		return pull.Remark{}, push.ErrIgnored
	}
	r := pull.Remark{Delivery: header(h, "Delivery"), Repository: p.Repository.FullName, Number: at.Number, URL: at.HTMLURL,
		Title: at.Title, Body: at.Body, Issue: name == "issues" || name == "issue_comment" && !p.IsPull}
	switch {
	case name == "issue_comment" && p.Action == "created" && p.Comment.ID > 0:
		r.Comment, r.Text, r.URL = strconv.FormatInt(p.Comment.ID, 10), p.Comment.Body, p.Comment.HTMLURL
		r.By.Name = p.Comment.User.Login
	case name != "issue_comment" && p.Action == "label_updated":
		r.By.Name = p.Sender.Login
		for _, one := range at.Labels {
			r.Labels = append(r.Labels, one.Name)
		}
	default:
		return pull.Remark{}, push.ErrIgnored
	}
	return rest.CheckRemark(r)
}
