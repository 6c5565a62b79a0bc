package git

import (
	"os"
	"strings"
)

// settings replaces the user's and the system's git configuration. It is a file, not only environment variables,
// because git drops such variables before it starts the other end of a local fetch.
const settings = `[protocol]
	allow = never
[core]
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	fsmonitor = false
	askPass =
[submodule]
	recurse = false
[fetch]
	recurseSubmodules = false
	writeCommitGraph = false
	# Packs are checked as they stream in and never unpacked in memory.
	fsckObjects = true
	unpackLimit = 1
# Old tools wrote these harmless flaws into many real repositories.
[fetch "fsck"]
	zeroPaddedFilemode = warn
	badFilemode = warn
	badTimezone = warn
	badDate = warn
	badDateOverflow = warn
	badEmail = warn
	badName = warn
	missingEmail = warn
	missingNameBeforeEmail = warn
	missingSpaceBeforeDate = warn
	missingSpaceBeforeEmail = warn
	multipleAuthors = warn
	zeroPaddedDate = warn
[gc]
	auto = 0
[maintenance]
	auto = false
[credential]
	helper =
[http]
	followRedirects = initial
	proxyAuthMethod = basic
	lowSpeedLimit = 100
	lowSpeedTime = 60
[safe]
	# Which folders may be read is decided before git runs; the owner of a local repository may be another user.
	directory = *
`

// writeConfig writes the settings atomically, since another process may be reading them. It does not write if the file
// is up to date, so that it succeeds on a full disk.
func (c *Cache) writeConfig() error {
	if there, err := os.ReadFile(c.config()); err == nil && string(there) == settings {
		return nil
	}
	f, err := os.CreateTemp(c.dir, "gitconfig-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(settings)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), c.config())
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// sshCommand returns the shell command line that git uses to start ssh. It ignores the server's own ssh
// configuration, and the connection goes through the proxy.
func (c *Cache) sshCommand(proxyAddr, keyFile string) string {
	self := strings.ReplaceAll(shellQuote(c.opt.SelfExe), "%", "%%")
	identity := "none"
	if keyFile != "" {
		identity = sshQuote(keyFile)
	}
	options := []string{
		"BatchMode=yes", "IdentitiesOnly=yes", "IdentityAgent=none", "IdentityFile=" + identity,
		"StrictHostKeyChecking=accept-new", "UserKnownHostsFile=" + sshQuote(c.knownHosts()), "UpdateHostKeys=no",
		"PasswordAuthentication=no", "KbdInteractiveAuthentication=no", "ForwardAgent=no", "ClearAllForwardings=yes",
		"PermitLocalCommand=no", "ControlMaster=no", "ControlPath=none", "ConnectTimeout=20", "ServerAliveInterval=15",
		"LogLevel=ERROR",
		"ProxyCommand=" + self + " internal-dial " + proxyAddr + " %h %p",
	}
	words := []string{"ssh", "-F", "/dev/null"}
	for _, o := range options {
		words = append(words, "-o", shellQuote(o))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes s as one word for a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// sshQuote quotes a path as one value in ssh's option syntax, where % starts a token.
func sshQuote(path string) string {
	return `"` + strings.NewReplacer("%", "%%", `\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
