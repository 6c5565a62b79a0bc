package forgetest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// addReleases adds the functions for releases to a Rig of this world.
func (w *world) addReleases(rig *Rig) {
	rig.Tag = func(testing.TB, string) {}
	rig.Release = func(_ testing.TB, tag, title, notes string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.releases == nil {
			w.releases = map[string]pull.Release{}
		}
		w.releases[tag] = pull.Release{Title: title, Notes: notes}
	}
}

// releaseCall responds to requests for a tag's release. The tag is one escaped path element after prefix.
func (c *call) releaseCall(path, prefix string, missing func(), show func(tag string, r pull.Release) object) bool {
	escaped, ok := strings.CutPrefix(path, prefix)
	if !ok || c.Method != http.MethodGet {
		return false
	}
	tag, err := url.PathUnescape(escaped)
	if err != nil || strings.Contains(escaped, "/") {
		c.wrong("the tag is not escaped: %s", escaped)
		return true
	}
	if r, ok := c.releases[tag]; ok {
		c.reply(http.StatusOK, show(tag, r))
	} else {
		missing()
	}
	return true
}

func gitHubRelease(c *call) bool {
	return c.releaseCall(c.URL.EscapedPath(), "/api/v3/repos/"+owner+"/"+project+"/releases/tags/", func() { gitHubMissing(c) },
		func(tag string, r pull.Release) object {
			return object{"id": 1, "tag_name": tag, "target_commitish": "main", "name": r.Title, "body": r.Notes, "draft": false,
				"prerelease": false, "html_url": c.url + "/" + owner + "/" + project + "/releases/tag/" + tag}
		})
}

func gitLabRelease(c *call) bool {
	return c.releaseCall(c.URL.EscapedPath(), "/api/v4/projects/"+owner+"%2F"+project+"/releases/",
		func() { c.reply(http.StatusNotFound, object{"message": "404 Not Found"}) },
		func(tag string, r pull.Release) object {
			return object{"tag_name": tag, "name": r.Title, "description": r.Notes, "upcoming_release": false}
		})
}
