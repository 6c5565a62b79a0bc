package chart

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// withSettings returns a rendering of the platform with one setting; path is the setting's groups and its key.
func withSettings(t *testing.T, value any, path ...string) rendering {
	t.Helper()
	for _, key := range slices.Backward(path) {
		value = object{key: value}
	}
	data, err := json.Marshal(object{"platform": object{"settings": value}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return rendering{files: []string{"platform"}, more: []string{"--values", file}}
}

// H7: settings are stored in a ConfigMap, so the chart refuses secrets among them, however they are spelled.
func TestSecretsInSettingsAreRefused(t *testing.T) {
	secrets := []string{
		"database", "secret-key", "secret-key-previous", "s3.access-key", "s3.secret-key", "s3.session-token",
		"oidc.client-secret", "agent.anthropic-key", "agent.openai-key", "assistant.key", "analytics.ga4-secret", "mail.password",
	}
	for _, s := range config.Reference() {
		if s.Secret && !slices.ContainsFunc(secrets, func(key string) bool { return config.EnvName(key) == s.Env }) {
			t.Errorf("%s is a secret that this test does not list", s.Env)
		}
	}
	elsewhere := [][]string{
		{"agent", "smtp", "password"}, {"forge.token"}, {"oidc", "clientSecret"}, {"LECTERN_OIDC_CLIENT_SECRET"},
		{"OIDC", "Client-Secret"}, {"agent", "database"}, {"token"}, {"agent.openai-key", "value"},
		{"export", "export.signing-key"},
	}
	for i, key := range secrets {
		spellings := [][]string{strings.Split(key, "."), {key}}
		elsewhere = append(elsewhere, tier.Choose(spellings[i%2:i%2+1], spellings)...)
	}
	for _, path := range elsewhere {
		t.Run(strings.Join(path, "/"), func(t *testing.T) {
			t.Parallel()
			got := withSettings(t, "hunter2", path...).refusal(t)
			if !strings.Contains(got, "platform.settings."+path[0]) || !strings.Contains(got, "Secret") ||
				strings.Contains(got, "hunter2") {
				t.Errorf("refused with %s", got)
			}
		})
	}
	t.Run("in a list", func(t *testing.T) {
		t.Parallel()
		if got := withSettings(t, []object{{"client-secret": "hunter2"}}, "oidc").
			refusal(t); !strings.Contains(got, "platform.settings.oidc.client-secret is a secret") {
			t.Errorf("refused with %s", got)
		}
	})
}

// Every other setting in the reference can be set, or has its own value in the chart.
func TestOtherSettingsAreAccepted(t *testing.T) {
	nested, dotted, chartsOwn := object{}, object{}, 0
	for _, s := range config.Reference() {
		if s.Key == "" || s.Secret {
			continue
		}
		path := strings.Split(s.Key, ".")
		if !slices.Contains(ownSettings, path[0]) {
			at := nested
			for _, group := range path[:len(path)-1] {
				if at[group] == nil {
					at[group] = object{}
				}
				at = at[group].(object)
			}
			at[path[len(path)-1]], dotted[s.Key] = "x", "x"
			continue
		}
		chartsOwn++
		spellings, one := []rendering{withSettings(t, "x", path...), withSettings(t, "x", s.Key)}, chartsOwn%2
		for _, r := range tier.Choose(spellings[one:one+1], spellings) {
			if got := r.refusal(t); !strings.Contains(got, "is set by the chart") {
				t.Errorf("%s: %s", s.Key, got)
			}
		}
	}
	for _, settings := range []object{nested, dotted} {
		config, err := find(withSettings(t, settings).objects(t), "ConfigMap", "-config")
		if err != nil {
			t.Fatal(err)
		}
		if got := text(config, "data", "lectern.yaml"); strings.Count(got, `"x"`) != len(dotted) || len(dotted) < 50 ||
			chartsOwn < 10 {
			t.Errorf("%d settings, %d with their own value: %s", len(dotted), chartsOwn, got)
		}
	}
}

// ownSettings are the settings, or groups of settings, that have their own values in the chart.
var ownSettings = []string{
	"secret-key-file", "s3", "blob", "data", "listen", "metrics", "public-url", "preview-domain", "first-site",
	"first-secrets", "deployment", "trusted-proxies", "workers", "shutdown-delay", "shutdown-grace", "log",
}
