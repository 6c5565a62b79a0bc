package sandbox

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlainRemovesTerminalCodes(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m": "red", "a\x1b]0;title\x07b": "ab", "a\x1b]8;;x\x1b\\b": "ab", "a\x1b(Bb": "aBb",
		"tab\tkept\r": "tab\tkept",
		"bell\a":      "bell", "\x1b": "", "\x1b[": "", "\x1b[31": "", "\x1b]0;never ends": "", "bad \xff": "bad �",
		"ü": "ü",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[1;31mred\x1b[0m \x1b]0;t\x07")
	f.Fuzz(func(t *testing.T, s string) {
		if got := Plain(s); !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\a\r\x00\u009b") {
			t.Errorf("%q", got)
		}
	})
}
