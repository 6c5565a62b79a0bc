package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// checkBundles exports the site for readers in no group and for readers in group a. It searches the bundles for words
// that these readers may not see, then does the same on a server restored from a backup. It stops p.
func checkBundles(t *testing.T, p *process, key, host string) {
	t.Helper()
	hidden := map[string][]string{"": {"wordalpha", "wordbeta"}, "a": {"wordbeta"}}
	jobs := map[string]string{} // by group
	c := p.client(key)
	for group := range hidden {
		start := client.StartExport{Domain: host}
		if group != "" {
			start.Groups = client.ReaderGroups{group}
		}
		job, err := c.StartExport(background(), start)
		if err == nil {
			_, err = c.WaitExport(background(), job.JobID, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs[group] = job.JobID
	}
	look := func(where string, c *client.Client) {
		for group, words := range hidden {
			text := bundleText(t, c, jobs[group])
			if !strings.Contains(text, "wordteam") || strings.Contains(text, "wordalpha") != (group == "a") {
				t.Errorf("%s: the bundle for %q lacks expected content", where, group)
			}
			for _, word := range words {
				if strings.Contains(text, word) {
					t.Errorf("%s: the bundle for %q contains %s", where, group, word)
				}
			}
		}
	}
	look("exported", c)
	p.Stop()
	archive, restored := filepath.Join(t.TempDir(), "backup.tar.gz"), filepath.Join(t.TempDir(), "restored")
	command(t, nil, "backup", archive, "--data", p.data)
	command(t, nil, "restore", archive, "--data", restored)
	again := serve(t, restored, nil, "--first-site", "off")
	look("restored", again.client(key))
	again.Stop()
}

// bundleText downloads a bundle and returns its files, one after the other.
func bundleText(t *testing.T, c *client.Client, jobID string) string {
	t.Helper()
	var raw bytes.Buffer
	if err := c.Download(background(), requestLink(t, c, jobID), &raw); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&raw)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}
