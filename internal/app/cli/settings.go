package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/lectern-docs/lectern/internal/app/config"
)

// storage contains the settings of commands that use a server's database. They accept every setting, so that they can
// read a server's settings file, but their help shows only the relevant ones.
type storage struct{ config.Server }

// linking is like storage, for commands that print links to the dashboard, which also need the server's address.
type linking struct{ storage }

var (
	storageFlags = []string{"config", "data", "database", "secret-key-file"}
	linkFlags    = []string{"listen", "public-url"}
)

// hideServerFlags hides irrelevant settings in the help of storage commands.
func hideServerFlags(k *kong.Kong) error {
	return kong.Visit(k.Model, func(v kong.Visitable, next kong.Next) error {
		n, ok := v.(*kong.Node)
		if ok && n.Type == kong.CommandNode && n.Target.FieldByName("storage").IsValid() {
			shown := storageFlags
			if n.Target.FieldByName("linking").IsValid() {
				shown = slices.Concat(storageFlags, linkFlags)
			}
			for _, f := range n.Flags {
				f.Hidden = f.Hidden || isSetting(f.Value) && !slices.Contains(shown, f.Name)
			}
		}
		return next(nil)
	})
}

// isSetting distinguishes settings from a command's own flags.
func isSetting(v *kong.Value) bool { return v.Tag.Has("key") }

// settings resolves flags that are not on the command line from variables and the settings file.
type settings struct {
	env    config.Env
	values config.Values // loaded at first use
}

// Validate does nothing: unknown names are rejected when the values are loaded.
func (s *settings) Validate(*kong.Application) error { return nil }

// Resolve returns a setting's value, or nil for its default.
func (s *settings) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !isSetting(flag.Value) {
		return nil, nil
	}
	if s.values == nil {
		values, err := config.Load(s.file(ctx), s.env)
		if err != nil {
			return nil, err
		}
		s.values = values
	}
	if text, ok := s.values.Flag(flag.Name); ok {
		return text, nil
	}
	return nil, nil
}

// file returns the path of the settings file, from the flag or the variable.
func (s *settings) file(ctx *kong.Context) string {
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == "config" {
			if text, ok := ctx.FlagValue(p.Flag).(string); ok {
				return text
			}
		}
	}
	return s.env[config.EnvName("config")]
}

// findSetting returns the setting with a flag, which includes the dashes.
func findSetting(flag string) (config.Setting, bool) {
	all := config.Reference()
	i := slices.IndexFunc(all, func(s config.Setting) bool { return s.Flag == flag })
	if i < 0 {
		return config.Setting{}, false
	}
	return all[i], true
}

// badSetting rewrites the parser's error about an invalid value as an error about the setting.
func badSetting(message string) (failure, bool) {
	flag, rest, ok := strings.Cut(message, ": ")
	if !ok {
		return failure{}, false
	}
	s, ok := findSetting(flag)
	if !ok || s.Key == "" {
		return failure{}, false
	}
	return failure{codeUsage, s.Key + ": " + rest,
		"Set by " + s.Flag + ", " + s.Env + " or " + s.Key + " in the settings file."}, true
}

// describe returns a flag's help text; for a setting it includes other names and possible values.
func describe(v *kong.Value) string {
	if v.Flag == nil || !isSetting(v) {
		return v.Help
	}
	s, ok := findSetting("--" + v.Name)
	if !ok {
		return v.Help
	}
	text := v.Help
	if s.Values != nil {
		text += " One of " + strings.Join(s.Values, ", ") + "."
	}
	names := s.Env
	if s.Key != "" {
		names += ", " + s.Key
	}
	return text + " [" + names + "]"
}
