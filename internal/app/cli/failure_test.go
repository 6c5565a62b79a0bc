package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// K9: an unexpected error is printed with its cause, once and without secrets.
func TestUnexpectedErrorsShowTheirCauseWithoutSecrets(t *testing.T) {
	t.Parallel()
	err := errors.New("open queue: dial postgres://u:hunter2hunter2@db/lectern: no route to host")
	for _, debug := range []bool{false, true} {
		var out bytes.Buffer
		code := (&run{Process: Process{Stderr: &out}, debug: debug}).report(err)
		if code != codeFailed {
			t.Errorf("exit code %d", code)
		}
		text := out.String()
		if !strings.HasPrefix(text, "lectern: Unexpected error: open queue: dial ") {
			t.Errorf("printed %q", text)
		}
		if strings.Contains(text, "hunter2") {
			t.Errorf("printed the password: %q", text)
		}
		if strings.Count(text, "no route to host") != 1 {
			t.Errorf("printed the cause more than once: %q", text)
		}
	}
}
