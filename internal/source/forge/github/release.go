package github

import (
	"context"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/forge/rest"
)

var _ pull.Releases = (*Host)(nil)

// Release implements pull.Releases.
func (h *Host) Release(ctx context.Context, tag string) (pull.Release, error) {
	var r struct {
		TagName string `json:"tag_name"`
		Name    string
		Body    string
		Draft   bool
	}
	err := h.api.Release(ctx, h.repo+"/releases/tags"+rest.Escape(tag), h.repo, tag, &r, func() string { return r.TagName })
	if err == nil && r.Draft { // shown to people with write access only
		err = rest.NoRelease()
	}
	if err != nil {
		return pull.Release{}, err
	}
	return pull.Release{Title: r.Name, Notes: r.Body}, nil
}
