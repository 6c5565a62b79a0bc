// Package sandbox runs an untrusted program: an agent's command line tool, or a command that a model wrote.
//
// Inputs: the program and its arguments, a folder that it may change, the environment it may see, and limits.
// Outputs: its output, how it ended, or which limit it exceeded; sandbox_unavailable if the system cannot confine it.
// It never falls back to a weaker sandbox, and never exposes a file, process, variable or network that the caller did
// not name. Only Bare, which callers must choose explicitly, runs programs without a sandbox.
//
// # Guarantees
//
// Linux only. The program runs in its own user, mount, process, IPC and host name namespaces, and in its own network
// namespace, which is empty unless the network was allowed. Its root is built from scratch: the system's programs and
// libraries, read-only; the few files of /etc that programs read; five devices; a /proc with its own processes; a
// private /tmp of bounded size; and its folder, the only other place it can write to. The program runs as an ordinary
// user without any capability, and cannot gain one: there are no new privileges and no set-user-id files, and a filter
// refuses the system calls that create namespaces, mounts, tracers, keys, kernel modules and the like.
//
// Each process has limits (processor time, memory, file size, open files). All processes together have further limits
// (number of processes, memory, bytes and number of files in the folder, wall time). The first process inside the
// sandbox is this program. When it exits or is killed, the kernel kills all others.
//
// # How it works
//
// This program starts itself in the new namespaces (stage enter). That process builds the root and starts itself once
// more as the ordinary user (stage begin), which drops the remaining privileges and executes the program. The first
// process waits, watches memory and disk, and reports. If root starts the sandbox, no user namespace is needed, and the
// program runs as the user nobody, who owns the folder during the run. It does not run as root, because limits on the
// number of processes do not apply to root. If any other user starts the sandbox, the program runs as that user, seen
// from outside.
package sandbox
