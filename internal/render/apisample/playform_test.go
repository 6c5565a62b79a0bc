package apisample

import (
	"encoding/json"
	"testing"

	"github.com/lectern-docs/lectern/internal/script/jsbuild"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/web/theme"
)

// These tests run the parts of the playground that need no browser: how it handles hostile schemas, and what it stores.

// played evaluates one expression that can use the playground's functions.
const played = `
import { makeCall } from "./call";
import { secretName, without } from "./secret";
import { compactJSON, readJSON } from "./json";
import { misses } from "./pattern";
import { Book, typeName } from "./schema";
import { inCookie, inHeader, inPath, inQuery } from "./style";
const all = { Book, misses, typeName, without, secretName, readJSON, compactJSON, inQuery, inCookie, inHeader, inPath, makeCall };
globalThis.ask = (code) => JSON.stringify(new Function(...Object.keys(all), "return " + code)(...Object.values(all))) ?? "undefined";`

func openPlayed(t *testing.T) func(code string) string {
	t.Helper()
	code, err := jsbuild.Script{Source: theme.FS(), Entry: "src/playground/asked.ts", Text: played}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	script, err := jsrun.OpenScript(code, "ask")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = script.Close() })
	return func(code string) string {
		t.Helper()
		out, err := script.Call(code)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		return out
	}
}

// Tests every query of a form with schemas that contain themselves in every way.
func TestRecursiveSchemasTerminate(t *testing.T) {
	ask := openPlayed(t)
	wide := `{type: "object", properties: "abcdefghijkl".split("").map((name) => ({name, schema: 0, required: true}))}`
	either := `{options: Array(12).fill(0).map((_, i) => i)}, ` +
		`...Array(11).fill({options: Array(12).fill(0).map((_, i) => i)})`
	deep := `"[".repeat(60) + "]".repeat(60)`
	for name, c := range map[string][2]string{
		"a list of itself has a name": {
			`typeName(new Book([{type: "array", items: 0}]), {type: "array", items: 0})`, `"list[][][][]"`},
		"an alternative to itself is ignored":           {`new Book([{options: [0]}]).loose(0, "x")`, `false`},
		"an alternative to itself yields the other one": {`new Book([{options: [0, 1]}, {type: "string"}]).loose(0, "x")`, `true`},
		"checking it terminates":                        {`new Book([{options: [0, 0, 0]}]).problems(0, "x").length < 2`, `true`},
		"many alternatives that are many": {`new Book([` + either +
			`]).problems(0, new Map([["a", "x"]])).length < 2`, `true`},
		"a choice ends":            {`new Book([` + either + `]).choose({options: [0, 1]}, "x")`, `0`},
		"endless required members": {`new Book([` + wide + `]).start(0) instanceof Map`, `true`},
		"deep values in alternatives": {
			`new Book([{options: [1, 1, 1]}, {type: "array", items: 0}]).problems(0, readJSON(` + deep + `)).length`,
			`0`},
	} {
		if got := ask(c[0]); got != c[1] {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Patterns are checked only if matching is certain to terminate.
func TestOnlyTerminatingPatternsAreChecked(t *testing.T) {
	ask := openPlayed(t)
	almost := `"a".repeat(60) + "!"`
	for _, c := range []struct{ pattern, text, want string }{
		{`^\d{3}-[a-z]+$`, `"12-x"`, "true"}, {`^\d{3}-[a-z]+$`, `"123-x"`, "false"},
		{`^(\d{1,3}\.){3}\d{1,3}$`, `"1.2.3"`, "true"}, {`^(\d{1,3}\.){3}\d{1,3}$`, `"10.20.30.40"`, "false"},
		{`^[^@]+@[^@]+\.[a-z]{2,}$`, `"name.example.com"`, "true"}, {`^(?:red|green)$`, `"blue"`, "true"},
		{`^([0-9a-f]{2}:){5}[0-9a-f]{2}$`, `"00:11:22:33:44:5x"`, "true"},
		{`[`, `"x"`, "false"}, {`^a{2`, `"b"`, "true"}, {`\p{L}`, `"1"`, "true"}, {`^[a\]b]+$`, `"a]c"`, "true"},
		{`^(?<y>\d{4})$`, `"x"`, "true"},
		// Patterns that might never finish are not tried; the result is false at once.
		{`^(a+)+$`, almost, "false"}, {`^(a|a)*$`, almost, "false"}, {`^(a|aa)+$`, almost, "false"},
		{`^(a?){40}a{40}$`, almost, "false"}, {`^a*a*a*a*a*a*a*$`, almost, "false"},
		{`^((a{1,9}){1,9}){1,9}$`, almost, "false"}, {`^(?=(a+)+$)`, almost, "false"},
		{`(x+x+)+y`, `"x".repeat(60)`, "false"}, {`^([a-z]*)*$`, almost, "false"}, {`^(.*)*\1$`, almost, "false"},
	} {
		quoted, _ := json.Marshal(c.pattern)
		if got := ask(`misses(` + string(quoted) + `, ` + c.text + `)`); got != c.want {
			t.Errorf("%s misses %s: %s, want %s", c.pattern, c.text, got, c.want)
		}
	}
}

// The history never stores a value whose name indicates a secret or whose schema declares it a password.
func TestHistoryContainsNoSecrets(t *testing.T) {
	ask := openPlayed(t)
	for _, name := range []string{"password", "userPassword", "passwd", "pass", "api_key", "X-Api-Key", "access_key",
		"accessKey", "secretAccessKey", "jwt", "pin", "userPin", "card-pin", "PIN", "auth", "X-Auth", "authToken",
		"Authorization", "sessionId", "session_id", "sid", "otp", "cvv", "client_secret", "privateKey", "Set-Cookie",
		"bearer", "signature", "passphrase"} {
		if ask(`secretName("`+name+`")`) != "true" {
			t.Errorf("%s is kept", name)
		}
	}
	for _, name := range []string{"author", "authors", "shipping", "opinion", "passenger", "compass", "key", "keyboard",
		"monkey", "design", "side", "name", "id"} {
		if ask(`secretName("`+name+`")`) != "false" {
			t.Errorf("%s is not kept", name)
		}
	}
	schemas := `[{options: [1, 2]}, {type: "integer"}, {type: "object", properties: [{name: "code", schema: 3}, {name: "note", schema: 5}]}, {options: [4, 3]}, {type: "string", format: "password"}, {type: "string"}]`
	for value, want := range map[string]string{
		`{"code": "c", "note": "n"}`:                                            `{"note":"n"}`,
		`{"pin": 1234, "jwt": {"a": 1}, "tokens": ["t"], "access_key": true}`:   `{}`,
		`[{"auth": {"user": "u"}, "list": [{"note": "n", "sessionId": null}]}]`: `[{"list":[{"note":"n"}]}]`,
	} {
		q, _ := json.Marshal(value)
		if got := ask(`JSON.parse(compactJSON(without(new Book(` + schemas + `), [0], readJSON(` + string(q) +
			`))))`); got != want {
			t.Errorf("%s is kept as %s, want %s", value, got, want)
		}
	}
}

// Tests parameters with a media type, cookies with several parts, and paths with dot segments.
func TestParameterValuesAreEncoded(t *testing.T) {
	ask := openPlayed(t)
	list, object := `readJSON('["a b","c"]')`, `readJSON('{"x":1,"y":"z"}')`
	for code, want := range map[string]string{
		`inQuery({name: "p", content: "text/plain"}, "a b")`:                                  `["p=a%20b"]`,
		`inQuery({name: "p", content: "application/json; v=1"}, "a")`:                         `["p=%22a%22"]`,
		`inPath({name: "p", content: "text/plain"}, "a")`:                                     `"a"`,
		`inHeader({name: "p", content: "text/csv"}, "a,b")`:                                   `"a,b"`,
		`inHeader({name: "p", content: "application/hal+json"}, "a")`:                         `"\"a\""`,
		`inCookie({name: "p", in: "cookie", content: "text/plain"}, "a")`:                     `["p=a"]`,
		`inCookie({name: "p", in: "cookie"}, ` + list + `)`:                                   `["p=a%20b&p=c"]`,
		`inCookie({name: "p", in: "cookie"}, ` + object + `)`:                                 `["x=1&y=z"]`,
		`inCookie({name: "p", in: "cookie", style: "form"}, ` + list + `)`:                    `["p=a%20b,c"]`,
		`inCookie({name: "p", in: "cookie", style: "form"}, ` + object + `)`:                  `["p=x,1,y,z"]`,
		`inCookie({name: "p", in: "cookie"}, [])`:                                             `[]`,
		`inCookie({name: "p", in: "cookie", style: "cookie", explode: true}, ` + list + `)`:   `["p=a b","p=c"]`,
		`inCookie({name: "p", in: "cookie", style: "cookie", explode: true}, ` + object + `)`: `["x=1","y=z"]`,
	} {
		if got := ask(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	for value, want := range map[string]string{"..": "true", ".": "true", "...": "false", "%2e": "false", "a": "false",
		"../a": "false"} {
		code := `makeCall({method: "GET", path: "/a/./{p}"}, {server: "", parameters: [{p: {in: "path", name: "p"}, get: () => "` + value + `"}], proof: [], body: {kind: "none"}}).folded`
		if got := ask(code); got != want {
			t.Errorf("a part %s is folded: %s", value, got)
		}
	}
}
