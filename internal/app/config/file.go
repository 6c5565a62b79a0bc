package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/yamltree"
)

// Values maps keys of settings to their text. Lists are joined with commas.
type Values map[string]string

// Flag returns the value of the setting with a flag name (without leading dashes), for the command-line parser.
func (v Values) Flag(name string) (string, bool) {
	for key, value := range v {
		if flagName(key) == name {
			return value, true
		}
	}
	return "", false
}

// Load reads the settings file (if path is "", the file named by LECTERN_CONFIG, if any) and the environment, which
// takes precedence, and rejects unknown names. Server.Complete handles secrets without a flag.
func Load(path string, env Env) (Values, error) {
	if err := env.Check(); err != nil {
		return nil, err
	}
	values := Values{}
	if path == "" {
		path = env[EnvName("config")]
	}
	if path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fault.Newf(fault.Invalid, "bad_setting", "config: cannot read the settings file %s.", path).
				WithField("config").WithCause(err)
		}
		if values, err = ParseFile(path, data); err != nil {
			return nil, err
		}
	}
	for _, s := range Reference() {
		if value := env[s.Env]; value != "" && s.Flag != "" { // compose files and charts pass unset variables as empty
			values[s.name] = value
		}
	}
	return values, nil
}

// ParseFile parses a settings file.
//
//	file    = mapping of entries
//	entry   = key ":" value | group ":" mapping of entries    a group's name and its entries' keys are joined by dots
//	value   = text | number | true (on) | false (off) | list of texts | nothing (the setting's default)
//
// The path is used only in messages.
func ParseFile(path string, data []byte) (Values, error) {
	doc, err := yamltree.Parse(path, data, yamltree.Options{Limits: fileLimits(), Spelled: true, Single: true})
	if err != nil {
		return nil, syntaxFault(path, err)
	}
	r := fileReader{path: path, values: Values{}, seen: map[string]int{}, settings: map[string]Setting{}}
	for _, s := range Reference() {
		r.settings[s.name] = s
	}
	if len(doc.Twice) > 0 {
		return nil, r.fault(doc.Twice[0].Pos(), "bad_setting", "config", "%s is set twice.", doc.Twice[0].Key)
	}
	if err := r.mapping("", doc.Root); err != nil {
		return nil, err
	}
	return r.values, nil
}

// fileLimits returns the limits for a settings file.
func fileLimits() jsontree.Limits { return jsontree.Limits{Bytes: 1 << 20, Depth: 50, Values: 100_000} }

func syntaxFault(path string, err error) error {
	if bad := (*jsontree.SyntaxError)(nil); errors.As(err, &bad) {
		return fault.Newf(fault.Invalid, "bad_setting", "%s:%d: %s", path, bad.Pos.Line, bad.Message).
			WithField("config")
	}
	return fault.Newf(fault.Invalid, "bad_setting", "%s: the settings file is not YAML.", path).WithField("config").
		WithCause(err)
}

type fileReader struct {
	path     string
	settings map[string]Setting // by key
	values   Values
	seen     map[string]int // line of each key read
}

func (r *fileReader) fault(at diag.Pos, code, field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, code, "%s:%d: %s", r.path, at.Line, fmt.Sprintf(format, args...)).WithField(field)
}

func (r *fileReader) mapping(group string, v *jsontree.Value) error {
	switch v.Kind {
	case jsontree.Null:
		return nil
	case jsontree.Object:
	default:
		return r.fault(v.Pos(), "bad_setting", group, "%s must contain settings, one `key: value` per line.",
			orFile(group))
	}
	for _, m := range v.Members {
		if err := r.entry(group, m); err != nil {
			return err
		}
	}
	return nil
}

func orFile(group string) string {
	if group == "" {
		return "the settings file"
	}
	return group
}

func (r *fileReader) entry(group string, m jsontree.Member) error {
	key := m.Key
	if group != "" {
		key = group + "." + key
	}
	setting, known := r.settings[key]
	switch {
	case !known && r.isGroup(key):
		return r.mapping(key, m.Value)
	case !known:
		return r.unknown(m.Pos(), key)
	case setting.Key == "":
		return r.fault(m.Pos(), "bad_setting", key, "%s cannot be set in the settings file.", key).
			WithHint("Set it by " + notFile(setting) + ".")
	case m.Value.Kind == jsontree.Object:
		return r.fault(m.Value.Pos(), "bad_setting", key, "%s must have a value, not nested settings.", key)
	}
	if first, twice := r.seen[key]; twice {
		return r.fault(m.Pos(), "bad_setting", key, "%s was already set on line %d.", key, first)
	}
	r.seen[key] = m.Pos().Line
	return r.value(setting, m.Value)
}

func notFile(s Setting) string {
	if s.Flag == "" {
		return s.Env + ", or pass the path of a file that contains it as " + s.name + "-file"
	}
	return s.Flag + " or " + s.Env
}

func (r *fileReader) isGroup(key string) bool {
	for k := range r.settings {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return false
}

func (r *fileReader) unknown(at diag.Pos, key string) error {
	var known []string
	for k, s := range r.settings {
		if s.Key != "" {
			known = append(known, k)
		}
	}
	f := r.fault(at, "unknown_setting", key, "%s: unknown setting.", key)
	if near := didyoumean.Word(key, slices.Values(known)); near != "" {
		return f.WithHint("Did you mean " + near + "?")
	}
	return f.WithHint("`lectern serve --help` lists all settings.")
}

func (r *fileReader) value(s Setting, v *jsontree.Value) error {
	if v.Kind == jsontree.Null {
		return nil // `key:` without a value means the default
	}
	if text, ok := scalar(v); ok {
		r.values[s.Key] = text
		return nil
	}
	if v.Kind != jsontree.List || s.Type != "list" {
		return r.fault(v.Pos(), "bad_setting", s.Key, "%s must be a %s.", s.Key, s.Type)
	}
	items := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		text, ok := scalar(item)
		if !ok || strings.Contains(text, ",") {
			return r.fault(item.Pos(), "bad_setting", s.Key,
				"%s: each item of the list must be a string without commas.", s.Key)
		}
		items = append(items, text)
	}
	r.values[s.Key] = strings.Join(items, ",")
	return nil
}

// scalar returns a single value in the form used on the command line. Some YAML writers replace on and off with true
// and false; both mean the same here.
func scalar(v *jsontree.Value) (string, bool) {
	switch v.Kind {
	case jsontree.String:
		return strings.TrimRight(v.Str, "\n"), true
	case jsontree.Bool:
		return map[bool]string{true: "on", false: "off"}[strings.EqualFold(v.Str, "true")], true
	case jsontree.Number:
		return v.Str, true
	}
	return "", false
}
