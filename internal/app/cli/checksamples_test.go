package cli

import (
	"strings"
	"testing"
)

func TestCheckRunsSamples(t *testing.T) {
	t.Parallel()
	files := siteFiles()
	files["index.mdx"] = "---\ntitle: Welcome\n---\n\n```sh test=\"x\"\necho out; exit 4\n```\n\n```ruby test={true}\nexit 1\n```\n"
	dir := write(t, files)
	invoke(t, "check", dir).want(t, 0, "0 errors, 0 warnings\n")
	a := invoke(t, "check", dir, "--samples", "python,sh").want(t, 1, "1 error, 0 warnings\n")
	if !strings.Contains(a.stdout, `error: The sample "x" ended with exit code 4. [sample-failed]`) ||
		!strings.Contains(a.stderr, "1 sample run; not run, because --samples does not name the language: 1 ruby\n") {
		t.Errorf("%s\n%s", a.stdout, a.stderr)
	}
	invoke(t, "check", dir, "--samples", "cobol").want(t, 2, `"cobol" is not a language`)
	invoke(t, "check", dir, "--samples", "sh=exit-with-nothing", "--samples-unconfined").want(t, 2, `The program "exit-with-nothing"`)
}
