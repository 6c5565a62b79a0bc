// Package scriptproc starts processes for author code and drops the privileges of such a process.
//
// Inputs: this program's file and the arguments of the command that runs scripts.
// Outputs: a child that can be killed, with one pipe to it and one from it; Confine, which the child calls first.
// It never gives a child the environment, an open file other than its pipes, or the terminal, and does not depend on
// the protocol on the pipes.
//
// # Guarantees
//
// On every system, the child has an empty environment and no open files except its pipes. The end of its input ends the
// child, so that it does not outlive its parent. On Linux and macOS, the child also has a process group that is killed
// as a whole, and resource limits that cannot be raised again: it cannot open files or sockets, write to files, or dump
// core, and gets Seconds of processor time.
//
// On Linux, the child also has at most Memory bytes of data. Unlike a limit of address space, this limit does not count
// memory that Go only reserves. The child gets SIGKILL when its parent dies, and cannot gain privileges. On amd64 and
// arm64, a system call filter allows what a running Go program needs (memory, threads, clocks, reading and writing open
// files) and answers EPERM to everything else. If the kernel permits it, the child also runs in its own user, network,
// process, IPC and host name namespaces, with an empty folder as its root. Containers often forbid these namespaces,
// but the filter still applies there.
//
// The child is our own program and applies all of this to itself before it reads the first script, so that only Go's
// start-up runs with more privileges.
package scriptproc
