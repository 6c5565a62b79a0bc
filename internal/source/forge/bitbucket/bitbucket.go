package bitbucket

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/forge/push"
)

// check verifies the signature and returns the delivery's id.
func check(h http.Header, body []byte, secret string) (string, error) {
	signature, ok := strings.CutPrefix(h.Get("X-Hub-Signature"), "sha256=")
	if !ok {
		return "", push.BadSignature()
	}
	return cmp.Or(h.Get("X-Request-UUID"), h.Get("X-Request-Id")), push.CheckHMAC(signature, body, secret)
}

// ParsePush checks X-Hub-Signature and parses a push event of either product.
func ParsePush(h http.Header, body []byte, secret string) (push.Push, error) {
	delivery, err := check(h, body, secret)
	if err != nil {
		return push.Push{}, err
	}
	switch h.Get("X-Event-Key") {
	case "repo:push":
		return parseCloud(delivery, body)
	case "repo:refs_changed":
		return parseDataCenter(delivery, body)
	}
	return push.Push{}, push.ErrIgnored
}

// reference is a branch, tag or bookmark of Bitbucket Cloud; null if it did not exist before or does not exist
// afterwards.
type reference struct {
	Type   string
	Name   string
	Target struct{ Hash string }
}

func parseCloud(delivery string, body []byte) (push.Push, error) {
	var p struct {
		Push struct {
			Changes []struct{ Old, New *reference }
		}
		Repository struct {
			FullName string `json:"full_name"`
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return push.Push{}, err
	}
	var changes []push.Change
	for _, c := range p.Push.Changes {
		ref, commit := c.Old, push.Gone
		if c.New != nil {
			ref, commit = c.New, c.New.Target.Hash
		}
		if ref == nil || ref.Type != "branch" && ref.Type != "named_branch" && ref.Type != "tag" {
			continue
		}
		if ref.Type == "tag" {
			ref.Name = push.TagPrefix + ref.Name
		}
		change, err := push.NewChange(ref.Name, commit)
		if err != nil {
			return push.Push{}, err
		}
		changes = append(changes, change)
	}
	return push.New(delivery, p.Repository.FullName, changes...)
}

func parseDataCenter(delivery string, body []byte) (push.Push, error) {
	var p struct {
		Changes []struct {
			Ref    struct{ ID string }
			ToHash string
		}
		Repository struct {
			Slug    string
			Project struct{ Key string }
		}
	}
	if err := push.Decode(body, &p); err != nil {
		return push.Push{}, err
	}
	var changes []push.Change
	for _, c := range p.Changes {
		change, err := push.FromRef(c.Ref.ID, c.ToHash)
		if errors.Is(err, push.ErrIgnored) {
			continue
		}
		if err != nil {
			return push.Push{}, err
		}
		changes = append(changes, change)
	}
	repository := ""
	if p.Repository.Slug != "" {
		repository = p.Repository.Project.Key + "/" + p.Repository.Slug
	}
	return push.New(delivery, repository, changes...)
}
