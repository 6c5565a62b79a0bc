package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestServeBundleRefusesInvalidSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		text string
	}{
		{[]string{"serve-bundle", "--source", "x", "--data", dir, "--proxy", "ftp://user:hunter22@proxy"},
			"proxy: must be http://HOST:PORT"},
		{[]string{"LECTERN_BUNDLE_PROXY=http://user:hunter22@proxy:3128/path", "serve-bundle", "--source", "x",
			"--data", dir}, "proxy: must be http://HOST:PORT"},
		{[]string{"LECTERN_DEPLOYMENT_TYPE=moon", "serve-bundle", "--source", "x", "--data", dir},
			"must be cloud, client-hosted or air-gapped"},
		{[]string{"LECTERN_SHUTDOWN_DELAY=soon", "serve-bundle", "--source", "x", "--data", dir}, "must be a duration"},
		{[]string{"LECTERN_SHUTDOWN_DELAY=6m", "serve-bundle", "--source", "x", "--data", dir}, "between 0s and 5m"},
		{[]string{"serve-bundle", "--source", "x", "--data", dir, "--shutdown-delay", "6m"}, "between 0s and 5m"},
		{[]string{"serve-bundle", "--source", "x", "--data", dir, "--drain", "6m"}, "between 0s and 5m"},
		{[]string{"serve-bundle", "--source", "x", "--data", dir, "--grace=-1s"}, "not be less than 0s"},
	} {
		if a := invoke(t, c.args...).want(t, 2, c.text); strings.Contains(a.stderr, "hunter22") {
			t.Errorf("the password is printed: %s", a.stderr)
		}
	}
}

// D9: the server warns about features beyond the deployment type, but not about features that the operator enabled.
func TestServeBundleWarnsOfFeaturesBeyondTheDeployment(t *testing.T) {
	t.Parallel()
	bundle := filepath.Join(t.TempDir(), "site.tar.gz")
	docs := write(t, map[string]string{
		"docs.json": `{"name":"S","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nWords.\n"})
	invoke(t, "export", docs, "--out", bundle, "--no-cache", "--scripts", "off").want(t, 0)
	const warning = "bundle has features that this deployment type does not include"
	for _, c := range []struct {
		env   []string
		warns bool
	}{
		{nil, false}, {[]string{"LECTERN_DEPLOYMENT_TYPE=cloud"}, false},
		{[]string{"LECTERN_DEPLOYMENT_TYPE=air-gapped"}, true},
		{[]string{"LECTERN_DEPLOYMENT_TYPE=air-gapped", "LECTERN_FEATURES_SEARCH=local"}, false},
	} {
		_, end := bundleServer(t, append(c.env, "serve-bundle", "--source", bundle, "--data", t.TempDir())...)
		if a := end().want(t, 0); strings.Contains(a.stderr, warning) != c.warns {
			t.Errorf("%v: %s", c.env, a.stderr)
		}
	}
}
