package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confined is a script that confines a command as systemd confines the unit, with the same kernel features: a read-only
// root, a private /tmp, a /proc without other users' processes, and an ordinary user without capabilities and without a
// way to gain any. $1 is a folder of the user; the remaining arguments are the command.
const confined = `space=$1; shift
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/space
cp "$space"/* /run/space
chown -R 65532:65532 /run/space
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs /tmp
mount -t proc -o hidepid=invisible proc /proc
mount -o remount,bind,ro /
cd /run/space
exec setpriv --reuid 65532 --regid 65532 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs env -i PATH=/usr/bin:/bin TMPDIR=/run/space HOME=/run/space "$@"`

// The tests of the sandboxes for author code and agents' programs pass under the unit's restrictions, including its
// system call filter.
func TestSandboxesWorkUnderUnitRestrictions(t *testing.T) {
	space := t.TempDir()
	// Build it like the release, so that compiled packages can be reused.
	cmd := exec.Command("go", "test", "-c", "-trimpath", "-ldflags=-s -w", "-o", space+"/", "./internal/script/sandbox",
		"./internal/script/scriptproc")
	cmd.Dir, cmd.Env = checkout, append(cmd.Environ(), "CGO_ENABLED=0")
	output(t, cmd)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(space, "self"), read(t, self), 0o700); err != nil {
		t.Fatal(err)
	}
	filter := filterOf(t, "SystemCallFilter")
	for _, room := range []string{"sandbox", "scriptproc"} {
		out := output(t, apart(t.Context(), confined, space, filterVariable+"="+filter, "/run/space/self",
			"/run/space/"+room+".test", "-test.v", "-test.timeout=2m"))
		if !strings.Contains(out, "\nPASS\n") || strings.Count(out, "--- PASS") < 5 {
			t.Errorf("%s under the unit:\n%s", room, out)
		}
	}
}

// filterVariable is the environment variable with the numbers of the allowed calls, a semicolon, and those of the
// refused calls. For all other calls, which are newer than systemd, the filter reports that the call does not exist, as
// systemd does.
const filterVariable = "LECTERN_TEST_FILTER"

// filterOf expands one of the unit's lists of system calls with systemd's own lists.
func filterOf(t *testing.T, setting string) string {
	t.Helper()
	unit := read(t, repo+"/packaging/lectern.service")
	m := regexp.MustCompile(`(?m)^` + setting + `=(.*)$`).FindSubmatch(unit)
	if m == nil {
		t.Fatalf("the unit has no %s", setting)
	}
	numbers := callNumbers(t)
	let, known := map[string]bool{}, map[string]bool{}
	for word := range strings.FieldsSeq(string(m[1])) {
		expand(t, word, let)
	}
	expand(t, "@known", known)
	var allowed, refused []string
	for name := range known {
		number, here := numbers[name]
		switch {
		case !here: // belongs to another architecture
		case let[name]:
			allowed = append(allowed, number)
		default:
			refused = append(refused, number)
		}
	}
	slices.Sort(allowed)
	slices.Sort(refused)
	if len(allowed) < 200 || len(refused) < 20 {
		t.Fatalf("the filter allows %d calls and refuses %d", len(allowed), len(refused))
	}
	return strings.Join(allowed, ",") + ";" + strings.Join(refused, ",")
}

// expand adds a call, or the calls of a group.
func expand(t *testing.T, word string, into map[string]bool) {
	t.Helper()
	if !strings.HasPrefix(word, "@") {
		into[word] = true
		return
	}
	lines := strings.Split(output(t, exec.Command("systemd-analyze", "syscall-filter", word)), "\n")
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			expand(t, line, into)
		}
	}
}

// callNumbers reads the table of system calls from a library that has it for every architecture.
func callNumbers(t *testing.T) map[string]string {
	t.Helper()
	dir := strings.TrimSpace(output(t, exec.Command("go", "list", "-f", "{{.Dir}}", "golang.org/x/sys/unix")))
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`SYS_(\w+)\s+=\s+(\d+)`).
		FindAllSubmatch(read(t, filepath.Join(dir, "zsysnum_linux_"+runtime.GOARCH+".go")), -1) {
		out[strings.ToLower(string(m[1]))] = string(m[2])
	}
	return out
}

// filtered installs the filter and executes the program. It returns only if that fails.
func filtered(words []string) int {
	runtime.LockOSThread() // the filter applies to this thread, which executes the program
	allowed, refused, _ := strings.Cut(os.Getenv(filterVariable), ";")
	code := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the call's number
	answer := func(list string, value uint32) error {
		for one := range strings.SplitSeq(list, ",") {
			number, err := strconv.ParseUint(one, 10, 32)
			if err != nil {
				return err
			}
			code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1,
				K: uint32(number)}, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value})
		}
		return nil
	}
	const allow, fail = 0x7fff0000, 0x00050000 // SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO
	err := firstError(answer(allowed, allow), answer(refused, fail|uint32(unix.EPERM)))
	code = append(code, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: fail | uint32(unix.ENOSYS)})
	if err == nil {
		filter := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
		err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0)
	}
	if err == nil {
		err = os.Unsetenv(filterVariable)
	}
	if err == nil {
		err = unix.Exec(words[0], words, os.Environ())
	}
	fmt.Fprintln(os.Stderr, "put on the filter:", err)
	return 1
}
