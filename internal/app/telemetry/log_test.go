package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"
)

// canary has the format of an admin API key; no part of it beyond the product's prefix may appear.
const canary = "lectern_CanaryCanaryCanaryCanaryCanaryCa123456"

func TestRedactMasksSecretsAndNothingElse(t *testing.T) {
	r := NewRedactor("operator secret \"quoted\"", "short", "")
	for text, want := range map[string]string{
		"key " + canary + " used":                      "key lectern_*** used",
		"lectern_http_requests_total":                  "lectern_http_requests_total",
		"lectern_abcd is the prefix":                   "lectern_abcd is the prefix",
		"clone https://bot:tok%20en@git.example.com/x": "clone https://***@git.example.com/x",
		"postgres://u:p@ss@db:5432/x":                  "postgres://***@db:5432/x",
		"ssh://git@host/x and https://h/@scope/pkg":    "ssh://***@host/x and https://h/@scope/pkg",
		`{"u":"http://host","mail":"a@b.example"}`:     `{"u":"http://host","mail":"a@b.example"}`,
		`{"u":"https://u:a\"b@host/"}`:                 `{"u":"https://***@host/"}`,
		"GET /blob/x?expires=1&kid=2&name=a&sig=AbC-_": "GET /blob/x?expires=1&kid=2&name=a&sig=***",
		"https://s3/b/k?X-Amz-Signature=0a&x=1":        "https://s3/b/k?X-Amz-Signature=***&x=1",
		`"https://h/?a=1\u0026sig=abc"`:                `"https://h/?a=1\u0026sig=***"`,
		"Authorization: Bearer abcdefghijklmnop":       "Authorization: Bearer ***",
		"a bearer key is needed":                       "a bearer key is needed",
		`uses operator secret "quoted" here`:           `uses *** here`,
		`{"m":"operator secret \"quoted\""}`:           `{"m":"***"}`,
		"a short word":                                 "a short word",
	} {
		if got := r.Redact(text); got != want {
			t.Errorf("Redact(%q)\n = %q\nwant %q", text, got, want)
		}
	}
}

func FuzzRedactLetsNoKeyThrough(f *testing.F) {
	f.Add("", "")
	f.Add("https://", "@host/")
	f.Add(`{"a":"`, `"}`)
	f.Add("lectern_", "lectern_")
	f.Add("Bearer ", "\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if out := (Redactor{}).Redact(before + canary + after); strings.Contains(out, canary[8:20]) {
			t.Errorf("a key went through: %q", out)
		}
	})
}

// K9: a secret does not appear in the log, however it is logged and in every log format.
func TestNoSecretReachesTheLog(t *testing.T) {
	const password = "hunter2hunter2"
	secretURL := "https://bot:" + password + "@git.example.com/docs"
	parsed, err := url.Parse(secretURL)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			log, err := NewLogger(&out,
				LogOptions{Format: format, Level: "debug", Redactor: NewRedactor("the-operators-secret-key")})
			if err != nil {
				t.Fatal(err)
			}
			log.Info("message " + canary + " " + secretURL)
			log.Info("attr", "key", canary, "url", secretURL, "parsed", parsed, canary, "as a name")
			log.Error("error", "error", fmt.Errorf("fetch: %w", errors.New("open "+secretURL+": key "+canary)))
			log.With("with", canary).WithGroup("group").Debug("nested", slog.Group("inner", "key", canary))
			log.Info("struct", "value", struct{ Key, URL string }{canary, secretURL}, "bytes", []byte(secretURL))
			log.Info("literal", "value", "the-operators-secret-key")
			for _, secret := range []string{canary[8:20], password, "the-operators"} {
				if strings.Contains(out.String(), secret) {
					t.Errorf("the log has %q:\n%s", secret, out.String())
				}
			}
			if n := strings.Count(out.String(), "\n"); n != 6 {
				t.Errorf("%d lines, want 6:\n%s", n, out.String())
			}
		})
	}
}

func TestJSONLogLinesStayValidAfterMasking(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLogger(&out, LogOptions{Format: "json", Level: "info"})
	if err != nil {
		t.Fatal(err)
	}
	log.Info(`quote " https://a:"b@c/ `+canary, "next", "x@y", "list", []string{"https://u:p@h/", "z@w"})
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if line["next"] != "x@y" || fmt.Sprint(line["list"]) != "[https://***@h/ z@w]" {
		t.Errorf("masking changed more than the secrets: %v", line)
	}
}

func TestLogIncludesTheContextsSpan(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLogger(&out, LogOptions{Format: "json", Level: "info"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := trace.ContextWithSpanContext(context.Background(),
		trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}}))
	log.With("a", 1).InfoContext(ctx, "hello")
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"trace_id": "01000000000000000000000000000000", "span_id": "0200000000000000",
		"a": 1.0} {
		if line[key] != want {
			t.Errorf("%s = %v, want %v", key, line[key], want)
		}
	}
}

func TestAutoFormatIsJSONWithoutATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	log, err := NewLogger(file, LogOptions{Format: "auto", Level: "warn"})
	if err != nil {
		t.Fatal(err)
	}
	log.Info("too quiet")
	log.Warn("hello")
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(data, &line); err != nil || line["msg"] != "hello" {
		t.Errorf("%v: %s", err, data)
	}
}

func TestUnknownFormatOrLevelIsRefused(t *testing.T) {
	for _, o := range []LogOptions{{Format: "xml", Level: "info"}, {Format: "json", Level: "loud"}} {
		if _, err := NewLogger(&bytes.Buffer{}, o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
