package adminapi_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// stackText lists words from stack traces and the program's internals, which no response may contain.
var stackText = []string{"goroutine ", ".go:", "runtime.", "panic", "internal/", "sql:", "SQLITE"}

func wantNoInsides(t *testing.T, operation string, got reply) {
	t.Helper()
	text := string(got.body)
	if name, ok := got.object(t)["requestId"].(string); ok {
		text = strings.ReplaceAll(text, name, "") // random letters, which may form any word
	}
	for _, word := range stackText {
		if strings.Contains(text, word) {
			t.Errorf("%s reveals %q: %s", operation, word, got.body)
		}
	}
	if got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: content type %q", operation, got.header.Get("Content-Type"))
	}
}

// A2: a value of the wrong type in any field of any operation is rejected in the error format, which do validates
// against the schema Error.
func TestWrongTypesAreRefusedOnEveryRoute(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	tried := 0
	for _, r := range adminapi.Routes() {
		good := samples[r.OperationID].ask(x).by(r, x.key)
		var fields map[string]any
		if !takesBody(r) || r.Scope == "" || json.Unmarshal([]byte(good.body), &fields) != nil {
			continue
		}
		for name := range fields {
			for _, wrong := range []string{`{"a":{"b":[]}}`, `[[1]]`, `-1e999`, `1.5`, `"\ud800"`, `true`} {
				body := map[string]json.RawMessage{}
				for other, value := range fields {
					text, err := json.Marshal(value)
					must(t, err)
					body[other] = text
				}
				delete(body, name)
				text, err := json.Marshal(body)
				must(t, err)
				a := good
				a.body = strings.TrimSuffix(strings.TrimSuffix(string(text), "}"), ",")
				if len(body) > 0 {
					a.body += ","
				}
				a.body += `"` + name + `":` + wrong + `}`
				got := w.do(t, a)
				if got.status >= 500 {
					t.Errorf("%s with %s: %d %s", r.OperationID, a.body, got.status, got.body)
				}
				if got.status >= 400 {
					tried++
					wantNoInsides(t, r.OperationID, got)
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d refusals were checked", tried)
	}
}

// keysPanic looks up keys by panicking.
type keysPanic struct{ auth.Keys }

func (keysPanic) FindPrincipal(context.Context, ...string) (store.Principal, error) {
	panic("canary in the coal mine")
}

// A2: a panic in any operation that identifies its caller is a 500 in the error format, without any part of the stack
// trace.
func TestPanicOnAnyRouteRevealsNothing(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.Keys = keysPanic{o.Keys} })
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		got := w.do(t, samples[r.OperationID].ask(x).by(r, x.key)).want(t, 500)
		wantNoInsides(t, r.OperationID, got)
		if name := got.object(t)["requestId"].(string); strings.Contains(string(got.body), "canary") ||
			!strings.Contains(w.log.String(), name) {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
	}
}
