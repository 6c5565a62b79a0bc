package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/lectern-docs/lectern/internal/app/config"
)

// Process contains what a program gets from the operating system, and its build information.
type Process struct {
	Args           []string // without the program's name
	Environ        []string // each entry is NAME=value
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Version        string
	Built          time.Time // commit time of the program's source; zero = unknown
	SelfExe        string    // path of this program; "" = unknown
	Now            func() time.Time
	Rand           io.Reader
}

// run is the context of a command.
type run struct {
	Process
	env   config.Env
	debug bool // show causes of errors
}

// Main runs the command given by the arguments and returns the exit code. If ctx ends, the command stops gracefully.
func Main(ctx context.Context, p Process) int {
	r := &run{Process: p, env: config.NewEnv(p.Environ)}
	// Read without the parser, because it also affects the parser's errors.
	r.debug = slices.Contains(p.Args, "--debug") || r.env[config.EnvName("log.level")] == "debug"
	if len(p.Args) == 0 {
		r.Args, r.Stdout = []string{"--help"}, p.Stderr
		_ = r.execute(ctx)
		return codeUsage
	}
	r.Args = normalizeArgs(p.Args)
	return r.report(r.execute(ctx))
}

// normalizeArgs translates common forms of help and version into this program's commands.
func normalizeArgs(args []string) []string {
	switch args[0] {
	case "help":
		return append(slices.Clone(args[1:]), "--help")
	case "--version":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

func (r *run) execute(ctx context.Context) error {
	parser, err := kong.New(grammarFor(r.Args),
		kong.Name("lectern"), kong.Description("Lectern publishes documentation sites from Markdown and exports them."),
		kong.NoDefaultHelp(), kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 120}),
		kong.ValueFormatter(describe), kong.PostBuild(hideServerFlags),
		kong.Writers(r.Stdout, r.Stderr), kong.Resolvers(&settings{env: r.env}),
		kong.Bind(r), kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(r.Args)
	if errors.Is(err, errHelpShown) {
		return nil
	}
	if err != nil {
		return err
	}
	return parsed.Run()
}

var errHelpShown = errors.New("help was shown")

// helpFlag prints help and ends parsing without ending the process.
type helpFlag bool

// BeforeReset is called by the parser if the flag is set.
func (helpFlag) BeforeReset(ctx *kong.Context) error {
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	return errHelpShown
}
