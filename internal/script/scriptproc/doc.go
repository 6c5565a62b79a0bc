// Package scriptproc starts processes for author code and takes the rights of such a process away.
//
// In: this program's file and the arguments of the command that runs scripts.
// Out: a child with a pipe to it and one from it, that can be killed; Confine, which the child calls first.
// Never: gives a child the environment, an open file beside its pipes, or the terminal; knows what is said through the pipes.
//
// # What holds
//
// Everywhere: an empty environment; pipes and nothing else; end of input ends the child, so that it does not outlive its parent. On Linux and
// macOS also a process group that is killed as one, and resource limits, set once and not to be lifted: no file or socket can be opened, nothing
// written to a file, no core dumped, Seconds of processor time.
//
// On Linux also: at most Memory bytes of data, which unlike address space does not count what Go only reserves; SIGKILL when the
// parent dies; no new privileges; and, on amd64 and arm64, a system call filter that lets through what a running Go program needs (memory,
// threads, clocks, read and write on what is open) and answers EPERM to everything else. Where the kernel lets us, the child also stands in user,
// network, process, IPC and host name namespaces of its own, with an empty folder as its root. Containers often forbid that part; the filter
// holds there.
//
// The child is our own program and does all this to itself before it reads the first script, so that nothing but Go's start-up runs with more.
package scriptproc
