package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Defaults returns the settings of a server started without any.
func Defaults() Server {
	var s Server
	v := reflect.ValueOf(&s).Elem()
	for _, setting := range Reference() {
		if setting.Default == "" {
			continue
		}
		if err := read(v.Field(setting.index), setting.Default); err != nil {
			panic(fmt.Sprintf("config: default of %s: %v", setting.name, err))
		}
	}
	return s
}

// read sets a field from its command line form.
func read(to reflect.Value, text string) error {
	switch p := to.Addr().Interface().(type) {
	case *string:
		*p = text
	case *[]string:
		*p = strings.Split(text, ",")
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("parse number: %w", err)
		}
		*p = n
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("parse duration: %w", err)
		}
		*p = d
	default:
		return fmt.Errorf("parse setting: unsupported type %s", to.Type())
	}
	return nil
}

// display returns a field in its command line form.
func display(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case []string:
		return strings.Join(x, ",")
	case time.Duration:
		return shortDuration(x)
	default:
		return fmt.Sprint(x)
	}
}

// shortDuration formats a duration without zero units: 1h instead of 1h0m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
