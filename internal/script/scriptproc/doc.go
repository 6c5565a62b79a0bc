// Package scriptproc starts processes for author code and drops the privileges of such a process.
//
// Inputs: this program's file and the arguments of the command that runs scripts.
// Outputs: a child that can be killed, with one pipe to it and one from it; Confine, which the child calls first.
// It never gives a child the environment, an open file other than its pipes, or the terminal, and does not depend on
// the protocol on the pipes.
//
// # Guarantees
//
// On every system: an empty environment; pipes and nothing else; end of input ends the child, so that it does not
// outlive its parent. On Linux and macOS also a process group that is killed as one, and resource limits that cannot be
// raised again: no file or socket can be opened, nothing written to a file, no core dumped, Seconds of processor time.
//
// On Linux also: at most Memory bytes of data, which unlike address space does not count what Go only reserves; SIGKILL
// when the parent dies; no new privileges; and, on amd64 and arm64, a system call filter that allows what a running Go
// program needs (memory, threads, clocks, read and write on open files) and answers EPERM to everything else. Where the
// kernel permits it, the child also runs in its own user, network, process, IPC and host name namespaces, with an empty
// folder as its root. Containers often forbid the namespaces; the filter still applies there.
//
// The child is our own program and applies all of this to itself before it reads the first script, so that only Go's
// start-up runs with more privileges.
package scriptproc
