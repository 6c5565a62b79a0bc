package cli

import (
	"log/slog"
	"slices"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/script/scriptproc"
)

// scriptsCommand is run by builds to execute authors' JavaScript. Its name is daemon.ScriptCommand.
type scriptsCommand struct{}

func (scriptsCommand) Run(r *run) error {
	if err := scriptproc.Confine(); err != nil {
		return err
	}
	return jsrun.Serve(r.Stdin, r.Stdout)
}

// scriptFlag contains the flag for authors' JavaScript, for commands that build without a server.
type scriptFlag struct {
	Scripts string `placeholder:"process|off" help:"JavaScript of authors. process (default): runs in limited processes without files, network or environment. off: does not run. [LECTERN_SCRIPTS]"`
}

// scripts returns the host that runs author code.
func (f scriptFlag) scripts(r *run) (jsrun.Host, error) {
	value := f.Scripts
	if value == "" {
		value = r.env[config.EnvName("scripts")]
	}
	if !slices.Contains([]string{"", "process", "off"}, value) {
		return jsrun.Host{}, fault.Newf(fault.Invalid, "bad_setting", "scripts: must be one of process, off, not %q.",
			value).WithField("scripts").
			WithHint("Set by --scripts or LECTERN_SCRIPTS.")
	}
	var logger *slog.Logger
	if r.debug {
		logger = slog.New(slog.NewTextHandler(r.Stderr, nil))
	}
	return daemon.ScriptHost(value, r.SelfExe, logger), nil
}
