package openapi

import (
	"context"
	"strings"
	"testing"
)

// F8: valid descriptions without paths are accepted, descriptions without content are rejected, and so are URLs that
// contain credentials.
func TestRemoteDescriptionMustHaveContent(t *testing.T) {
	asked := ""
	load := func(address, text string) (*Spec, string) {
		l := &Loader{Fetch: func(_ context.Context, url string) ([]byte, error) {
			asked = url
			return []byte(text), nil
		}}
		s, list := l.Load(t.Context(), address)
		if s != nil {
			return s, ""
		}
		return nil, list[0].Code + " " + list[0].Message
	}
	const address = "https://example.com/x"
	for text, ok := range map[string]bool{
		`{"openapi": "3.1.0", "info": {}, "webhooks": {"paid": {"post": {}}}}`:                true,
		`{"openapi": "3.1.0", "info": {}, "components": {"schemas": {"A": {}}}}`:              true,
		`{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"get": {"x-excluded": true}}}}`:    true,
		`{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {"A": {}}}}`: false,
		`{"openapi": "3.1.0", "info": {}, "paths": {}, "components": {"schemas": {"A": {}}}}`: false,
		`{"openapi": "3.1.0", "info": {}, "components": {}}`:                                  false,
		`{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"summary": "x"}}}`:                 false,
		`{"asyncapi": "2.6.0", "info": {}, "channels": {"a": {"publish": {}}}}`:               true,
		"openapi: 3.1.0\ninfo: {}\npaths:\n":                                                  false,
		"\xef\xbb\xbf" +
			`{"swagger": "2.0", "info": {}, "paths": {"/a": {"get": {}}}}`: true,
		`{"openapi": "3.1.0", "info": {}, "paths": {"/a": {"$ref": "#/components/pathItems/A"}}, "components": {"pathItems": {"A": {"get": {}}}}}`: true,
	} {
		if s, why := load(address, text); (s != nil) != ok {
			t.Errorf("%s: %q", text, why)
		}
	}
	asked = ""
	if s, why := load("https://user:hunter2@example.com/x", `{}`); s != nil || asked != "" ||
		strings.Contains(why, "hunter2") || !strings.Contains(why, "password") {
		t.Errorf("fetched %q: %s", asked, why)
	}
}
