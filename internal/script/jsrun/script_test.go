package jsrun

import (
	"strings"
	"testing"
)

func TestScriptCallReturnsAString(t *testing.T) {
	s,
		err := OpenScript([]byte(
		`let calls = 0; function twice(x) { calls++; if (x === "bad") throw new Error("no"); if (x === "n") return 1; return x + x + calls }`), "twice")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, c := range [][2]string{{"a", "aa1"}, {`"'\é🚀` + "\n", `"'\é🚀` + "\n" + `"'\é🚀` + "\n2"}} {
		if got, err := s.Call(c[0]); err != nil || got != c[1] {
			t.Errorf("%q gave %q, error %v, want %q", c[0], got, err, c[1])
		}
	}
	for _, bad := range []string{"bad", "n"} {
		if got, err := s.Call(bad); err == nil {
			t.Errorf("%s gave %q", bad, got)
		}
	}
}

func TestScriptFailuresAreErrors(t *testing.T) {
	if _, err := OpenScript([]byte("throw 1"), "f"); err == nil {
		t.Error("a script that throws was opened")
	}
	if _, err := OpenScript([]byte("syntax error("), "f"); err == nil {
		t.Error("an invalid script was opened")
	}
	s, err := OpenScript([]byte(`function f(x) { const all = []; for (;;) all.push(x.repeat(1 << 20)) }`), "f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call("x"); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
