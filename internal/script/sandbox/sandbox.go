package sandbox

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Command is the hidden command of this executable that enters a sandbox. The stage is its argument.
const Command = "internal-sandbox"

// Dir is the path of the program's folder inside the sandbox.
const Dir = "/docs"

// ProxyAddress is the address of the program's proxy inside the sandbox, if it has one.
const ProxyAddress = "127.0.0.1:3128"

// Limits limits one run. A zero field means the default.
type Limits struct {
	Wall      time.Duration // default 30 min
	CPU       time.Duration // of one process; default 10 min
	Memory    int64         // bytes, of all processes together and of each; default 2 GiB
	Processes int           // threads count too; default 512
	OpenFiles int           // of one process; default 1024
	FileSize  int64         // bytes of one file; default 256 MiB
	Disk      int64         // bytes of all files in the folder; default 1 GiB
	Files     int           // files and folders in the folder; default 200,000
	Scratch   int64         // bytes of /tmp; default 256 MiB
}

// OrDefault replaces unset fields with their defaults.
func (l Limits) OrDefault() Limits {
	set := func(p *int64, v int64) {
		if *p <= 0 {
			*p = v
		}
	}
	count := func(p *int, v int) {
		if *p <= 0 {
			*p = v
		}
	}
	set((*int64)(&l.Wall), int64(30*time.Minute))
	set((*int64)(&l.CPU), int64(10*time.Minute))
	set(&l.Memory, 2<<30)
	set(&l.FileSize, 256<<20)
	set(&l.Disk, 1<<30)
	set(&l.Scratch, 256<<20)
	count(&l.Processes, 512)
	count(&l.OpenFiles, 1024)
	count(&l.Files, 200_000)
	return l
}

// Program describes the program to run.
type Program struct {
	Words []string // the program's name, looked up in PATH, or its path; then its arguments
	Dir   string   // its folder on this machine; the program may change everything in it
	Env   []string // NAME=value; in addition, PATH, HOME, TMPDIR and LANG get defaults if they are missing
	// files and folders of this machine that the program may read and execute in addition to the system's own. They
	// have the same paths inside the sandbox
	Readable []string
	Network  bool // use the machine's own network
	Limits   Limits

	// Proxy is the program's only way to the network if Network is false. It serves a listener at ProxyAddress inside
	// the sandbox, and must return when the listener is closed. nil means no network at all.
	Proxy func(net.Listener)

	Stdin  io.Reader // nil: empty
	Stdout io.Writer // nil: discarded
	Stderr io.Writer // nil: discarded
}

// Result describes how a program ended.
type Result struct {
	Exit     int    // exit code; 128 plus the signal number if a signal ended it
	Exceeded string // the limit that the program exceeded: time, memory or disk; "" if none
}

// Options configures how this executable starts itself.
type Options struct {
	Exe  string   // path of this executable; "" if unknown: the sandbox is unavailable
	Args []string // the arguments that make it call Enter; the stage is appended
}

// Box runs programs in sandboxes. It is safe for concurrent use.
type Box struct{ opt Options }

// New returns a Box. It does not check whether the system can confine a program; Run and Check do.
func New(opt Options) *Box { return &Box{opt: opt} }

// Check returns nil if the system can confine a program, and the fault sandbox_unavailable otherwise.
func (b *Box) Check(ctx context.Context) error {
	_, err := b.run(ctx, Program{Limits: Limits{Wall: time.Minute}}, true)
	return err
}

// Run runs a program until it ends. A non-zero exit code and an exceeded limit are part of the Result and not errors.
// Errors are sandbox_unavailable (Unavailable), program_not_found (Invalid), ctx's cause, or errors of the system.
func (b *Box) Run(ctx context.Context, p Program) (Result, error) {
	if len(p.Words) == 0 || p.Dir == "" {
		return Result{}, errors.New("run program: no name or no folder")
	}
	return b.run(ctx, p, false)
}

func unavailable(cause error) error {
	return fault.New(fault.Unavailable, "sandbox_unavailable", "This server cannot run programs in a sandbox.").
		WithHint(
			"Sandboxes need Linux and permission to create namespaces: run the server outside a container, " +
				"or in one that allows namespaces and does not mask parts of /proc.").
		WithCause(cause)
}

func notFound(name string) error {
	return fault.Newf(fault.Invalid, "program_not_found",
		"The program %q does not exist in the sandbox, or cannot be run.", name).
		WithHint(
			"The sandbox contains the system's programs (/usr, /bin); other folders must be made readable explicitly.")
}
