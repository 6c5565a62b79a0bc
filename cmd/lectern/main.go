// Command lectern publishes documentation sites and exports them. The implementation is in internal/app/cli and the
// packages below it.
//
// Inputs: the process's arguments, environment, streams and signals.
// Outputs: its exit code.
// It does nothing else.
package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/app/cli"
)

// version and built are set by the build with -ldflags "-X main.version=v1.2.3 -X main.built=2026-01-02T15:04:05Z".
// built is the commit time.
var version, built string

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal starts a graceful shutdown; the next one kills the process immediately.
	context.AfterFunc(ctx, stop)
	self, err := os.Executable()
	if err != nil {
		self = "" // needed only by ssh repositories and hints
	}
	return cli.Main(ctx, cli.Process{
		Args: os.Args[1:], Environ: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Version: buildVersion(), Built: buildTime(), SelfExe: self, Now: time.Now, Rand: rand.Reader,
	})
}

// buildTime returns the commit time of the source that the program was built from, or zero if it is unknown.
func buildTime() time.Time {
	at, _ := time.Parse(time.RFC3339, built)
	return at.UTC()
}

// buildVersion returns the version set by the build, or the module version recorded by the Go toolchain.
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
