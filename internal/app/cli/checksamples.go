package cli

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// sampleFlags contains the flags for running code samples.
type sampleFlags struct {
	Samples           []string      `placeholder:"LANGUAGE" help:"Also run code blocks marked with test=\"NAME\" in these languages, in a sandbox without network: bash, sh, python, javascript, ruby, perl, lua, or any other with its program, as in go='/usr/local/go/bin/go run'. A list with commas, or repeated."`
	SamplesReadable   []string      `placeholder:"FOLDER" help:"Folders that samples may read in addition to the system's own, such as that of a compiler."`
	SamplesTime       time.Duration `default:"30s" help:"How long one sample may run."`
	SamplesUnconfined bool          `help:"Run samples without a sandbox, with your own permissions, files and network. Needed on systems other than Linux; use it only for pages whose authors you trust."`
}

// checkSamples runs the code blocks that are marked as tests: those on all pages or, with a base, those on pages that
// differ from it.
func (c *checkCommand) checkSamples(ctx context.Context, r *run, src, base fs.FS) (diag.List, error) {
	languages, err := codesample.ParseLanguages(c.Samples)
	if err != nil {
		return nil, err
	}
	opt := codesample.Options{Languages: languages, Readable: c.SamplesReadable, Time: c.SamplesTime, Base: base,
		Runner: sandbox.New(sandbox.Options{Exe: r.SelfExe, Args: []string{sandbox.Command}}),
		Folder: func() (string, func() error, error) {
			dir, err := os.MkdirTemp("", "lectern-sample-")
			return dir, func() error { return os.RemoveAll(dir) }, err
		}}
	if c.SamplesUnconfined {
		opt.Runner = sandbox.Bare{}
	}
	result, err := codesample.Check(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(r.Stderr, "%s run", count(result.Ran, "sample"))
	if len(result.Disabled) > 0 {
		var off []string
		for _, lang := range slices.Sorted(maps.Keys(result.Disabled)) {
			off = append(off, fmt.Sprintf("%d %s", result.Disabled[lang], lang))
		}
		fmt.Fprintf(r.Stderr, "; not run, because --samples does not name the language: %s", harmless(strings.Join(off, ", ")))
	}
	if result.Left > 0 {
		fmt.Fprintf(r.Stderr, "; %d left out, because a check runs at most %d", result.Left, codesample.MaxSamples)
	}
	fmt.Fprintln(r.Stderr)
	return result.Findings, nil
}
