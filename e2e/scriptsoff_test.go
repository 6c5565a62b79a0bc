package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// codePayloads returns payloads that try to run author code in a build that must not run any: escapes through
// constructors, host objects, imports, templates, and expressions that other MDX renderers have evaluated in the past.
func codePayloads() map[string]string {
	return map[string]string{
		"constructor": `{[].constructor.constructor("return process")().mainModule.require("child_process").execSync("touch pwned")}`,
		"function":    `{(() => { throw 1 })()}`, "new function": `{new Function("return this")()}`,
		"eval": `{eval("1")}`, "process": `{process.env.HOME}`, "global": `{globalThis.process.exit(3)}`,
		"require": `{require("fs").readFileSync("/etc/passwd")}`, "import call": `{import("node:child_process")}`,
		"await": `{await import("fs")}`, "this": `{this.constructor.constructor("return 1")()}`,
		"template": "{`${[].map.constructor('return 1')()}`}", "tagged": "{String.raw`${process.pid}`}",
		"getter": `{({ get x() { return process.pid } }).x}`, "prototype": `{({}).__proto__.polluted = 1}`,
		"spread":         `<Card {...(() => ({title: process.cwd()}))()}>x</Card>`,
		"attribute":      `<Card title={Function("return 7*191")()}>x</Card>`,
		"handler":        `<div onClick={() => fetch("http://127.0.0.1:9/")}>x</div>`,
		"component":      "export const A = () => <i>{7 * 191}</i>\n\n<A />",
		"default":        "export default function L() { return process.exit(3) }\n\ntext",
		"import":         "import fs from 'fs'\n\n{fs.readFileSync('/etc/passwd')}",
		"import file":    "import x from '/etc/passwd'\n\n{x}",
		"import address": "import x from 'http://127.0.0.1:9/x.js'\n\n{x}",
		"import data":    "import x from 'data:text/javascript,export default 1337'\n\n{x}",
		"import up":      "import x from '../../../../../../etc/passwd'\n\n{x}",
		"proxy":          `{new Proxy({}, { get: () => 1337 }).a}`,
		"symbol":         `{[][Symbol.iterator].constructor("return 1337")()}`,
		"generator":      `{(function*(){ yield 1337 })().next().value}`, "optional": `{process?.binding?.("fs")}`,
		"comma": `{(0, eval)("1337")}`,
	}
}

// traced lists the system calls through which a program affects its environment.
const traced = "execve,execveat,fork,vfork,socket,connect,bind,sendto,sendmsg,ptrace,openat,open,unlink,unlinkat,kill,mount,bpf,io_uring_setup"

var (
	opened    = regexp.MustCompile(`open(?:at)?\((?:AT_FDCWD, )?"([^"]*)"`)
	otherCall = regexp.MustCompile(`^(?:\d+ +)?(\w+)\(`)
)

// traceExport builds a folder with the real program and scripts off. It returns the system calls by name and the files
// outside the build's folders that it opened. The build may end with findings.
func traceExport(t *testing.T, docs string) (calls map[string]int, files map[string]bool, out string) {
	t.Helper()
	work := t.TempDir()
	log, out := filepath.Join(work, "trace"), filepath.Join(work, "site")
	cmd := exec.Command("strace", "-f", "-qq", "-e", "trace="+traced, "-e", "signal=none", "-o", log, binary, "export",
		docs, "--scripts", "off", "--out", out)
	cmd.Env = append(os.Environ(), "HOME="+work, "XDG_CACHE_HOME="+filepath.Join(work, "cache"), "TMPDIR="+work)
	if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls, files = map[string]int{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if m := otherCall.FindStringSubmatch(line); m != nil {
			calls[m[1]]++
		}
		if m := opened.FindStringSubmatch(line); m != nil && strings.HasPrefix(m[1], "/") &&
			!strings.HasPrefix(m[1], work) && !strings.HasPrefix(m[1], docs) {
			files[m[1]] = true
		}
	}
	return calls, files, out
}

// C1: with scripts off, no payload is evaluated: pages show text or findings, and the process starts no program, opens
// no socket, and opens no file beyond those of the same build without payloads.
func TestPayloadsDoNotRunWithScriptsOff(t *testing.T) {
	t.Parallel()
	folder := func(pages map[string]string) string {
		dir := t.TempDir()
		for name, text := range pages {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	plain, hostile := map[string]string{"index.mdx": "# Home\n"}, map[string]string{"index.mdx": "# Home\n"}
	for name, payload := range codePayloads() {
		file := strings.ReplaceAll(name, " ", "-") + ".mdx"
		plain[file] = "---\ntitle: T\n---\n\ntext\n"
		hostile[file] = fmt.Sprintf("---\ntitle: T\n---\n\n%s\n", payload)
	}
	base, baseFiles, _ := traceExport(t, folder(plain))
	calls, files, out := traceExport(t, folder(hostile))
	if base["execve"] == 0 || len(baseFiles) == 0 {
		t.Fatalf("the baseline was not traced: %v %v", base, baseFiles)
	}
	for name, n := range calls {
		if name != "openat" && name != "open" && name != "unlinkat" && name != "unlink" && n > base[name] {
			t.Errorf("%s was called %d times, without payloads %d times", name, n, base[name])
		}
	}
	for file := range files {
		if !baseFiles[file] && !strings.HasPrefix(file, "/proc/") && !strings.HasPrefix(file, "/sys/") {
			t.Errorf("the build with payloads opens %s", file)
		}
	}
	err := filepath.WalkDir(out, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".html" {
			return err
		}
		text, err := os.ReadFile(file)
		for _, word := range []string{"1337", "root:x:0:0", "[native code]"} {
			body := string(text)
			if strings.Contains(body, word) && !strings.Contains(body, "export default "+word) {
				t.Errorf("%s shows %q", file, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("pwned"); err == nil {
		t.Error("a payload wrote a file")
	}
}
