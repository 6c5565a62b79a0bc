package codesample

import (
	"net"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// TestMain lets the test binary also run the stages of its sandboxes.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == sandbox.Command {
		os.Exit(sandbox.Enter(os.Args[2]))
	}
	os.Exit(m.Run())
}

// options runs samples in the real sandbox.
func options(t *testing.T, languages ...string) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	list, err := ParseLanguages(languages)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Languages: list, Runner: sandbox.New(sandbox.Options{Exe: self, Args: []string{sandbox.Command}}),
		Folder: func() (string, func() error, error) {
			dir, err := os.MkdirTemp(t.TempDir(), "")
			return dir, func() error { return os.RemoveAll(dir) }, err
		}}
}

func site(pages map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range pages {
		out[name] = &fstest.MapFile{Data: []byte("---\ntitle: Page\n---\n\n" + strings.ReplaceAll(text, "~~~", "```"))}
	}
	return out
}

// check returns the findings, one per line, each with its hint.
func check(t *testing.T, pages map[string]string, opt Options) (Result, string) {
	t.Helper()
	result, err := Check(t.Context(), site(pages), opt)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range result.Findings {
		out.WriteString(d.String() + " (" + d.Hint + ")\n")
	}
	return result, out.String()
}

func TestFailingSamplesAreReported(t *testing.T) {
	t.Parallel()
	result, got := check(t, map[string]string{
		"good.mdx": "~~~python test={true}\nprint('hello')\n~~~\n",
		"many.mdx": "~~~bash test=\"a\"\nx=1\n~~~\n\ntext\n\n<Tabs>\n<Tab title=\"t\">\n~~~bash test=\"a\"\n[ \"$x\" = 1 ]\n~~~\n</Tab>\n</Tabs>\n" +
			"\n~~~text output=\"a\"\n~~~\n",
		"bad.mdx":    "~~~bash\nexit 9\n~~~\n\n~~~bash Title test=\"lost\"\necho begun\nno-such-program\n~~~\n",
		"off.mdx":    "~~~ruby test={true}\nexit 1\n~~~\n~~~python test={false}\nexit(1)\n~~~\n",
		"prints.mdx": "~~~sh test=\"p\"\necho one; echo two\n~~~\n\n~~~text output=\"p\"\none\nthree\n~~~\n",
		"alone.mdx":  "~~~text output=\"nobody\"\nx\n~~~\n",
		"readme.mdx": "# No samples: test=\n",
	}, options(t, "python", "bash", "sh"))
	want := `alone.mdx:5:1: warning: The page has no sample "nobody" above this output. [sample-output] (Mark the sample with test="nobody".)
bad.mdx:9:1: error: The sample "lost" ended with exit code 127. [sample-failed] (It printed: sample.sh: line 11: no-such-program: command not found)
prints.mdx:9:1: error: The sample "p" does not print this: line 2 is "two". [sample-output] (Correct the sample or its output. A line with only ... stands for any lines.)
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if result.Ran != 4 || len(result.Disabled) != 1 || result.Disabled["ruby"] != 1 {
		t.Errorf("%d ran, not enabled: %v", result.Ran, result.Disabled)
	}
}

// Author code in samples has no network access, cannot read the machine's files and has limited time (proves C9, in
// part).
func TestSamplesAreConfined(t *testing.T) {
	t.Parallel()
	secret := t.TempDir() + "/secret"
	if err := os.WriteFile(secret, []byte("s3cret"), 0o666); err != nil {
		t.Fatal(err)
	}
	open, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	_, port, err := net.SplitHostPort(open.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	opt := options(t, "bash")
	_, got := check(t, map[string]string{
		"file.mdx": "~~~bash test={true}\ncat " + secret + "\n~~~\n",
		"net.mdx":  "~~~bash test={true}\nexec 3<>/dev/tcp/127.0.0.1/" + port + "\n~~~\n",
		"env.mdx":  "~~~bash test=\"env\"\nenv | cut -d= -f1 | grep -vE '^(PATH|HOME|TMPDIR|LANG|PWD|SHLVL|_)$'\ntrue\n~~~\n~~~text output=\"env\"\n~~~\n",
	}, opt)
	opt.Time = time.Second
	_, loop := check(t, map[string]string{"loop.mdx": "~~~bash test={true}\nwhile :; do :; done\n~~~\n"}, opt)
	got += loop
	for _, part := range []string{"file.mdx:5:1: error: The sample ended with exit code 1.", "net.mdx:5:1: error: The sample ended with",
		"loop.mdx:5:1: error: The sample was stopped: it exceeded its limit of time."} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing in\n%s", part, got)
		}
	}
	if strings.Contains(got, "s3cret") || strings.Contains(got, "env.mdx") {
		t.Errorf("a sample escaped its confinement:\n%s", got)
	}
}

func TestBaseLimitsSamplesToChangedPages(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"same.mdx": "~~~sh test={true}\nexit 3\n~~~\n", "other.mdx": "~~~sh test={true}\necho why; exit 3\n~~~\n"}
	opt := options(t, "sh")
	base := site(pages)
	base["other.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: Before\n---\n")}
	opt.Base = base
	result, got := check(t, pages, opt)
	if result.Ran != 1 || !strings.HasPrefix(got, "other.mdx:5:1: error: The sample ended with exit code 3.") ||
		!strings.Contains(got, "(It printed: why)") {
		t.Errorf("%d ran:\n%s", result.Ran, got)
	}
}

func TestMissingProgramIsNamed(t *testing.T) {
	t.Parallel()
	_, err := Check(t.Context(), site(map[string]string{"a.mdx": "~~~zig test={true}\nx\n~~~\n"}), options(t, "zig=zig-that-is-not-here run"))
	if !fault.HasCode(err, "program_not_found") || !strings.Contains(err.Error(), "zig-that-is-not-here") {
		t.Error(err)
	}
}

func TestSamplesBeyondTotalTimeAreSkipped(t *testing.T) {
	t.Parallel()
	opt := options(t, "sh")
	opt.Total = time.Second
	result, got := check(t, map[string]string{"a.mdx": strings.Repeat("~~~sh test={true}\nsleep 600\n~~~\n", 20)}, opt)
	if result.Ran != 0 || result.Left != 20 || got != "" {
		t.Errorf("%d ran, %d were skipped:\n%s", result.Ran, result.Left, got)
	}
}
