package daemon

import (
	"log/slog"

	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/script/scriptproc"
)

// ScriptCommand is the hidden command of this program that runs author code.
const ScriptCommand = "internal-scripts"

// ScriptHost returns the host on which builds run author code, according to the setting scripts. exe is the path of
// this program; logger, which may be nil, receives the reason if a process fails.
func ScriptHost(setting, exe string, logger *slog.Logger) jsrun.Host {
	if setting == "off" {
		return jsrun.Host{Off: true}
	}
	starter := scriptproc.New(scriptproc.Options{Exe: exe, Args: []string{ScriptCommand}, Logger: logger})
	return jsrun.Host{Start: func() (jsrun.Process, error) {
		c, err := starter.Start()
		if err != nil {
			return nil, err // a nil *Child would be a non-nil Process
		}
		return c, nil
	}}
}
