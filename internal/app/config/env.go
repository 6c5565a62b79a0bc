package config

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	envPrefix        = "LECTERN_"
	credentialPrefix = envPrefix + "CREDENTIAL_"
	envURL           = envPrefix + "URL"
	envKey           = envPrefix + "KEY"
	// used by the Makefile and tests; it may be set when `make run` starts a server
	envCache = envPrefix + "CACHE"
)

// Env is a process environment. It is read-only.
type Env map[string]string

// NewEnv parses the operating system's list of "NAME=value". If a name occurs twice, the last one wins.
func NewEnv(environ []string) Env {
	env := make(Env, len(environ))
	for _, line := range environ {
		if name, value, ok := strings.Cut(line, "="); ok {
			env[name] = value
		}
	}
	return env
}

// Client contains the environment variables of commands that connect to a server. Unset ones are "".
type Client struct {
	URL string // server's address
	Key string // admin API key; a secret
}

// Client returns the client commands' variables.
func (e Env) Client() Client { return Client{URL: e[envURL], Key: e[envKey]} }

// Check rejects unknown LECTERN_* names, so that a misspelled one is not silently ignored.
func (e Env) Check() error {
	known := []string{envURL, envKey, envCache, envBundleSource, envBundleProxy, envBundleHosts}
	for _, s := range Reference() {
		known = append(known, s.Env)
	}
	var names []string
	for name := range e {
		if strings.HasPrefix(name, envPrefix) && !strings.HasPrefix(name, credentialPrefix) &&
			!slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	f := fault.Newf(fault.Invalid, "unknown_setting", "%s: unknown setting.", names[0]).WithField(names[0])
	if near := didyoumean.Word(names[0], slices.Values(known)); near != "" {
		return f.WithHint("Did you mean " + near + "?")
	}
	return f.WithHint("`lectern serve --help` lists all settings.")
}
