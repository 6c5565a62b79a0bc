package jsbuild

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

func TestScriptsAreClassicAndDeclareNoGlobals(t *testing.T) {
	files := docs("a/main.ts",
		`import { twice } from "../b"; import "./c"; window.x = twice<number>(VALUE); declare const VALUE: number; declare global { interface Window { x: number } }`,
		"b.ts", "export const twice = <T extends number>(n: T): number => n * 2; export const unused = 'unused';",
		"a/c.ts", "window.x = 1;")
	out, err := Script{Source: files, Entry: "a/main.ts", Define: map[string]string{"VALUE": "21"}}.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(out); !strings.HasPrefix(text, "(()=>{") || !strings.HasSuffix(text, "})();\n") ||
		!strings.Contains(text, "(21)") || strings.Contains(text, "unused") {
		t.Errorf("got %s", text)
	}
}

func TestScriptsImportOnlyModulesOfTheTheme(t *testing.T) {
	for text, want := range map[string]string{
		`import "preact"`:           "only relative imports",
		`import "/etc/passwd"`:      "only relative imports",
		`import "./gone"`:           "gone.ts",
		`import "../../../outside"`: "outside",
		"const a = 1;\nconst = 2;":  "main.ts:2:",
	} {
		if _, err := (Script{Source: docs("main.ts", text), Entry: "main.ts"}).Bundle(); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestSameModulesGiveTheSameScript(t *testing.T) {
	var first []byte
	for i := range 5 {
		out, err := Script{Source: theme.FS(), Entry: theme.ScriptWithAssistant}.Bundle()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = out
		} else if !bytes.Equal(first, out) {
			t.Fatal("the bytes differ")
		}
	}
}
