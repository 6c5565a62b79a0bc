package config

import (
	"reflect"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Setting describes one setting with all its names.
type Setting struct {
	Key     string   // in the settings file; "" if the file cannot contain it
	Flag    string   // including its dashes; "" for a secret, which has none
	Env     string   // environment variable
	Group   string   // heading in the reference
	Type    string   // text, number, duration or list
	Default string   // as written on the command line; "" = none
	Values  []string // possible values; nil = any
	Help    string
	Secret  bool // its value must not be printed

	name  string // the key, even if the file cannot contain it
	index int    // index of the field in Server
}

// Reference lists every setting, in the order of Server's fields.
func Reference() []Setting {
	t := reflect.TypeFor[Server]()
	list := make([]Setting, 0, t.NumField())
	for i := range t.NumField() {
		list = append(list, newSetting(t.Field(i), i))
	}
	return list
}

func newSetting(f reflect.StructField, index int) Setting {
	s := Setting{
		Env: EnvName(f.Tag.Get("key")), Group: f.Tag.Get("group"), Type: typeName(f.Type),
		Default: f.Tag.Get("default"),
		Help:    f.Tag.Get("help"), Secret: f.Tag.Get("secret") != "", name: f.Tag.Get("key"), index: index,
	}
	if f.Tag.Get("secret") != "env" {
		s.Flag = "--" + flagName(s.name)
	}
	if f.Tag.Get("file") != "-" && s.Flag != "" {
		s.Key = s.name
	}
	if v := f.Tag.Get("oneof"); v != "" {
		s.Values = strings.Split(v, ",")
	}
	return s
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.Int:
		return "number"
	}
	return "text"
}

// EnvName returns the variable of a setting, given its key or flag name.
func EnvName(key string) string {
	return envPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

func flagName(key string) string { return strings.ReplaceAll(key, ".", "-") }

// bad returns the fault for an invalid value of a setting.
func (s Setting) bad(format string, args ...any) error {
	f := fault.Newf(fault.Invalid, "bad_setting", s.name+": "+format, args...).WithField(s.name)
	names := []string{}
	if s.Flag != "" {
		names = append(names, s.Flag)
	}
	return f.WithHint("Set by " + strings.Join(append(names, s.Env), ", ") + fileNote(s) + ".")
}

func fileNote(s Setting) string {
	if s.Key == "" {
		return ""
	}
	return " or " + s.Key + " in the settings file"
}
