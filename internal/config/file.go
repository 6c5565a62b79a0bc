package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/nearest"
)

// Values are settings as text, by key. Lists are joined with commas.
type Values map[string]string

// Flag returns the value of the setting with that flag name (without dashes before it), for the command-line parser.
func (v Values) Flag(name string) (string, bool) {
	for key, value := range v {
		if flagName(key) == name {
			return value, true
		}
	}
	return "", false
}

// Load reads the settings file (when path is "", the one that LECTERN_CONFIG names, if any) and the environment, the latter winning, and refuses names that are
// no settings. Secrets without a flag are left to Server.Complete.
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
			return nil, fault.Newf(fault.Invalid, "bad_setting", "config: the settings file %s cannot be read.", path).
				WithField("config").WithCause(err)
		}
		if values, err = ParseFile(path, data); err != nil {
			return nil, err
		}
	}
	for _, s := range Reference() {
		if value := env[s.Env]; value != "" && s.Flag != "" { // compose files and charts pass unset ones as empty
			values[s.name] = value
		}
	}
	return values, nil
}

// ParseFile reads a settings file.
//
//	file    = mapping of entries
//	entry   = key ":" value | group ":" mapping of entries    a group's name and its entries' keys are joined by dots
//	value   = text | number | true (on) | false (off) | list of texts | nothing (the setting's default)
//
// The path is for messages only.
func ParseFile(path string, data []byte) (Values, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxFault(path, err)
	}
	r := fileReader{path: path, values: Values{}, seen: map[string]int{}, settings: map[string]Setting{}}
	for _, s := range Reference() {
		r.settings[s.name] = s
	}
	for i, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if i > 0 {
			return nil, r.fault(doc.Body, "bad_setting", "", "the settings file must be a single document.")
		}
		if err := r.mapping("", doc.Body); err != nil {
			return nil, err
		}
	}
	return r.values, nil
}

func syntaxFault(path string, err error) error {
	var syntax yaml.Error
	if errors.As(err, &syntax) && syntax.GetToken() != nil && syntax.GetToken().Position != nil {
		path = fmt.Sprintf("%s:%d", path, syntax.GetToken().Position.Line)
		return fault.Newf(fault.Invalid, "bad_setting", "%s: %s.", path, syntax.GetMessage()).WithField("config")
	}
	return fault.Newf(fault.Invalid, "bad_setting", "%s: the settings file is not YAML.", path).WithField("config").WithCause(err)
}

type fileReader struct {
	path     string
	settings map[string]Setting // by key
	values   Values
	seen     map[string]int // line of each key read
}

func (r *fileReader) fault(at ast.Node, code, field, format string, args ...any) *fault.Error {
	return fault.Newf(fault.Invalid, code, "%s:%d: %s", r.path, line(at), fmt.Sprintf(format, args...)).WithField(field)
}

func line(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func (r *fileReader) mapping(group string, n ast.Node) error {
	var entries []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		entries = m.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{m}
	case *ast.NullNode, *ast.CommentGroupNode:
		return nil
	default:
		return r.fault(n, "bad_setting", group, "%s must hold settings, one `key: value` a line.", orFile(group))
	}
	for _, e := range entries {
		if err := r.entry(group, e); err != nil {
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

func (r *fileReader) entry(group string, e *ast.MappingValueNode) error {
	name, ok := e.Key.(*ast.StringNode)
	if !ok {
		return r.fault(e.Key, "unknown_setting", group, "%q cannot be a setting's name.", strings.TrimSpace(e.Key.String()))
	}
	key := name.Value
	if group != "" {
		key = group + "." + key
	}
	setting, known := r.settings[key]
	switch _, isMap := e.Value.(*ast.MappingNode); {
	case !known && r.isGroup(key):
		return r.mapping(key, e.Value)
	case !known:
		return r.unknown(e.Key, key)
	case setting.Key == "":
		return r.fault(e.Key, "bad_setting", key, "%s cannot be set in the settings file.", key).WithHint("Set it by " + notFile(setting) + ".")
	case isMap:
		return r.fault(e.Value, "bad_setting", key, "%s takes a value, not further settings.", key)
	}
	if first, twice := r.seen[key]; twice {
		return r.fault(e.Key, "bad_setting", key, "%s was already set on line %d.", key, first)
	}
	r.seen[key] = line(e.Key)
	return r.value(setting, e.Value)
}

func notFile(s Setting) string {
	if s.Flag == "" {
		return s.Env + ", or give the path of a file that holds it as " + s.name + "-file"
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

func (r *fileReader) unknown(at ast.Node, key string) error {
	var known []string
	for k, s := range r.settings {
		if s.Key != "" {
			known = append(known, k)
		}
	}
	f := r.fault(at, "unknown_setting", key, "%s: there is no such setting.", key)
	if near := nearest.Word(key, slices.Values(known)); near != "" {
		return f.WithHint("Did you mean " + near + "?")
	}
	return f.WithHint("`lectern serve --help` lists all settings.")
}

func (r *fileReader) value(s Setting, n ast.Node) error {
	if _, null := n.(*ast.NullNode); null {
		return nil // `key:` with nothing after it is the default
	}
	if text, ok := scalar(n); ok {
		r.values[s.Key] = text
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok || s.Type != "list" {
		return r.fault(n, "bad_setting", s.Key, "%s must be a %s.", s.Key, s.Type)
	}
	items := make([]string, 0, len(list.Values))
	for _, v := range list.Values {
		text, ok := scalar(v)
		if !ok || strings.Contains(text, ",") {
			return r.fault(v, "bad_setting", s.Key, "%s: each item of the list must be a text without commas.", s.Key)
		}
		items = append(items, text)
	}
	r.values[s.Key] = strings.Join(items, ",")
	return nil
}

// scalar is a single value as one would write it after a flag. YAML writers turn on and off into true and false; both mean
// the same here.
func scalar(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return strings.TrimRight(v.Value.Value, "\n"), true
	case *ast.BoolNode:
		if v.Value {
			return "on", true
		}
		return "off", true
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, true
	}
	return "", false
}
