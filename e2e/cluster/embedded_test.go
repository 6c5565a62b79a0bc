package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// onlyServer returns a balancer with one server.
func onlyServer(m *machine) *balancer { return &balancer{machines: []*machine{m}} }

// brokenSite writes a docs folder with a broken link.
func brokenSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"docs.json":    `{"name":"Folder","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","commands"]}}`,
		"index.mdx":    "---\ntitle: Home\ndescription: The first.\n---\n\nGo to [commands](/comands).\n",
		"commands.mdx": "---\ntitle: Commands\ndescription: The second.\n---\n\nText.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// firstKey returns the key that one of the servers printed at its first start.
func (c *cluster) firstKey() (key string) {
	c.t.Helper()
	c.servers[0].current().Await("the first key", func() bool {
		for _, s := range c.servers {
			if found := keyShape.FindString(s.log()); found != "" {
				key = found
			}
		}
		return key != ""
	})
	return key
}

// restartWith restarts all processes with another setting.
func (c *cluster) restartWith(setting string) {
	c.t.Helper()
	for _, m := range c.machines() {
		m.current().Stop()
		m.env = append(slices.Clone(m.env), setting)
	}
	c.startAll()
}
