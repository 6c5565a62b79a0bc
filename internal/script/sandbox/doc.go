// Package sandbox runs a program that nobody trusts: an agent's command line tool, a command that a model wrote.
//
// In: the program and its words, a folder of its own to change, the environment it may see, and limits.
// Out: what it wrote, how it ended, or which limit it broke; sandbox_unavailable where the system cannot hold it.
// Never: a weaker cage because the strong one cannot be had; a file, process, variable or network that was not named.
//
// # What holds
//
// Linux only. The program stands in user, mount, process, IPC and host name namespaces of its own, and in a network of its own with nothing
// in it unless the network was allowed. Its root is made from nothing: the system's programs and libraries, read-only; the few files of
// /etc that programs look at; five devices; a /proc with its own processes; a private /tmp of bounded size; and its folder, which is the
// one other place it can write to. It is an ordinary user without a single capability and cannot get any: no new privileges, no set-user-id files,
// and a filter refuses the system calls that make namespaces, mounts, tracers, keys, kernel modules and the like.
//
// Each process has limits (processor time, memory, size of a file, open files), all together have others (processes, memory, bytes and
// number of files in the folder, time on the wall). The first process inside is this program; when it ends, by itself or killed, the kernel
// ends all others.
//
// # How
//
// This program starts itself in the new namespaces (stage enter), which builds the root, starts itself once more as the ordinary user (stage
// begin), which gives up the rest and becomes the program. The first waits, watches memory and disk, and reports. Started by root, the
// first needs no user namespace, and the program is the user nobody, to whom its folder is lent meanwhile: limits on the number of processes do not
// bind root. Started by anybody else, the program is that user, seen from outside.
package sandbox
