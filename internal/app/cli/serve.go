package cli

import (
	"context"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
)

type serveCommand struct{ config.Server }

// Help returns the long description.
func (serveCommand) Help() string {
	return `Without any settings, everything is stored in ./lectern-data and served at http://127.0.0.1:8080. The first start publishes Lectern's own docs at http://docs.localhost:8080 and, if it runs in a terminal, prints an admin API key.

    lectern serve
    lectern serve --data /var/lib/lectern --listen 0.0.0.0:8080 --public-url https://lectern.example.com
    LECTERN_DATABASE=postgres://user:password@db/lectern lectern serve --config lectern.yaml

` + settingsHelp()
}

// settingsHelp describes the sources of settings, and lists settings without a flag.
func settingsHelp() string {
	return `Each setting can be given as a flag, as an environment variable or in the settings file, in this order of precedence. The variable and the key in the file are in brackets after each flag.

Secrets have no flag, because other users of the machine can read command lines. Set them with a variable, or with a file named by the flag of the same name with -file:

` + strings.NewReplacer("  ", ": ", "\n", "\n\n").Replace(strings.TrimSpace(config.SecretHelp()))
}

func (c *serveCommand) Run(ctx context.Context, r *run) error {
	opt, err := r.daemon(&c.Server)
	if err != nil {
		return err
	}
	return daemon.Serve(ctx, opt)
}

// daemon completes the settings and converts them to the options of a server or worker.
func (r *run) daemon(s *config.Server) (daemon.Options, error) {
	if err := s.Complete(r.env); err != nil {
		return daemon.Options{}, err
	}
	mask := redactor(*s, r.env)
	logger, err := telemetry.NewLogger(r.Stderr,
		telemetry.LogOptions{Format: s.LogFormat, Level: s.LogLevel, Redactor: mask})
	if err != nil {
		return daemon.Options{}, err
	}
	return daemon.Options{
		Config: *s, Env: r.env, Version: r.Version, Built: r.Built, Now: r.Now, Rand: r.Rand, Logger: logger,
		Redactor: mask, Out: r.Stdout, SelfExe: r.SelfExe, Terminal: isTerminal(r.Stdout),
	}, nil
}

// redactor returns a redactor for the secrets in the settings.
func redactor(s config.Server, env config.Env) telemetry.Redactor {
	secrets := append([]string{s.SecretKey, s.S3SecretKey, s.S3SessionToken, s.AgentAnthropicKey, s.AgentOpenAIKey,
		s.AssistantKey, s.AnalyticsGA4Secret, s.OIDCClientSecret, s.MailPassword}, s.SecretKeyPrevious...)
	if u, err := url.Parse(s.Database); err == nil && u.User != nil {
		password, _ := u.User.Password()
		secrets = append(secrets, password)
	}
	secrets = append(secrets, s.CollectorSecrets(env)...)
	return telemetry.NewRedactor(secrets...)
}
