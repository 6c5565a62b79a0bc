package config

import (
	"log/slog"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
)

// Complete adds the secrets from env or from the files named in the settings, which the command-line parser does not
// read, and validates everything again. Call it once, after parsing.
func (s *Server) Complete(env Env) error {
	secrets := []struct {
		key  string
		to   *string
		file string
	}{
		{"s3.access-key", &s.S3AccessKey, s.S3AccessKeyFile},
		{"s3.secret-key", &s.S3SecretKey, s.S3SecretKeyFile},
		{"s3.session-token", &s.S3SessionToken, s.S3SessionTokenFile},
		{"secret-key", &s.SecretKey, s.SecretKeyFile},
		{"agent.anthropic-key", &s.AgentAnthropicKey, s.AgentAnthropicKeyFile},
		{"agent.openai-key", &s.AgentOpenAIKey, s.AgentOpenAIKeyFile},
		{"assistant.key", &s.AssistantKey, s.AssistantKeyFile},
		{"analytics.ga4-secret", &s.AnalyticsGA4Secret, s.AnalyticsGA4SecretFile},
		{"mail.password", &s.MailPassword, s.MailPasswordFile},
		{"oidc.client-secret", &s.OIDCClientSecret, s.OIDCClientSecretFile},
	}
	for _, secret := range secrets {
		value, err := readSecret(env, secret.key, secret.file)
		if err != nil {
			return err
		}
		*secret.to = value
	}
	previous, err := readSecret(env, "secret-key-previous", s.SecretKeyPreviousFile)
	if err != nil {
		return err
	}
	s.SecretKeyPrevious = splitSecrets(previous)
	if err := s.Validate(); err != nil {
		return err
	}
	if err := s.checkMailPassword(); err != nil {
		return err
	}
	return s.checkCollectors(env)
}

func readSecret(env Env, key, file string) (string, error) {
	value := env[EnvName(key)]
	if file == "" {
		return value, nil
	}
	if value != "" {
		return "", find(key).bad("set twice, by %s and by %s-file; use only one.", EnvName(key), key)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", wrapBad(find(key+"-file"), err, "the file %s cannot be read.", file)
	}
	if value = strings.TrimSpace(string(data)); value == "" {
		return "", find(key+"-file").bad("the file %s is empty.", file)
	}
	return value, nil
}

func splitSecrets(text string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// find returns the setting with a key, which must exist.
func find(key string) Setting {
	for _, s := range Reference() {
		if s.name == key {
			return s
		}
	}
	panic("config: no setting " + key)
}

// LogValue lists the settings that differ from their defaults, with secrets masked, so that a Server can be logged
// (K9).
func (s Server) LogValue() slog.Value {
	v := reflect.ValueOf(s)
	var attrs []slog.Attr
	for _, setting := range Reference() {
		text := display(v.Field(setting.index))
		switch {
		case text == setting.Default || text == "":
			continue
		case setting.Secret:
			text = mask(text)
		}
		attrs = append(attrs, slog.String(setting.name, text))
	}
	return slog.GroupValue(attrs...)
}

// String returns LogValue as text, so that printing a Server reveals no secret.
func (s Server) String() string { return s.LogValue().String() }

// GoString returns String, for %#v.
func (s Server) GoString() string { return s.String() }

// SecretHelp lists the variables without a flag, one per line, for the end of a command's help text.
func SecretHelp() string {
	var b strings.Builder
	for _, s := range Reference() {
		if s.Flag == "" {
			b.WriteString(s.Env + "  " + s.Help + "\n")
		}
	}
	return b.String()
}

// mask returns the part of a URL that identifies the server, without secrets.
func mask(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host + u.Path
	}
	return "(set)"
}
