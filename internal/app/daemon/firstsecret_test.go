package daemon

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/app/config"
)

func TestFirstSecretsNeedATerminalOrARequest(t *testing.T) {
	for _, c := range []struct {
		setting  string
		terminal bool
		want     bool
	}{
		{"auto", true, true}, {"auto", false, false},
		{"print", true, true}, {"print", false, true},
		{"off", true, false}, {"off", false, false},
	} {
		opt := Options{Config: config.Server{FirstSecrets: c.setting}, Terminal: c.terminal}
		if got := opt.printsSecrets(); got != c.want {
			t.Errorf("%s, terminal %v: printed %v", c.setting, c.terminal, got)
		}
	}
}
