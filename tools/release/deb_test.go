package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/tools/release/internal/dist"
)

// installed is a script that makes a copy of this machine's system without copying files (an overlay whose changes are
// in memory) and runs another script there. Debian's own programs install the package, whose file is $1.
const installed = `deb=$1 script=$2 space=$3
mount --make-rprivate /
mount -t tmpfs tmpfs "$space"
mkdir "$space/upper" "$space/work" "$space/root"
mount -t overlay -o "lowerdir=/,upperdir=$space/upper,workdir=$space/work" overlay "$space/root"
mount --rbind /proc "$space/root/proc"
mount --rbind /dev "$space/root/dev"
cp "$deb" "$space/root/lectern.deb"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$(command -v chroot || echo /usr/sbin/chroot)" "$space/root" sh -ec "$script"`

func install(t *testing.T, script string) string {
	t.Helper()
	deb := absolute(t, filepath.Join(built, dist.Deb(version, linux.Arch)))
	return output(t, apart(t.Context(), installed, deb, script, t.TempDir()))
}

func TestPackageIsInstalledUpgradedAndRemoved(t *testing.T) {
	out := install(t, `exec 2>&1
dpkg --install /lectern.deb
echo "user: $(getent passwd lectern | cut -d: -f6-)"
for f in /usr/bin/lectern /etc/lectern/lectern.yaml /etc/lectern/lectern.env /var/lib/lectern /usr/lib/systemd/system/lectern.service; do stat -c '%n %a %U' $f; done
echo "changed: $(dpkg --verify lectern)"
dpkg-query --showformat='${Conffiles}\n' --show lectern
key=$(setpriv --reuid lectern --regid lectern --clear-groups --no-new-privs --bounding-set=-all lectern keys create --data /var/lib/lectern --label first)
case $key in lectern_*) echo a key was made ;; esac
echo '# mine' >> /etc/lectern/lectern.yaml
dpkg --install /lectern.deb
tail -n 1 /etc/lectern/lectern.yaml
dpkg --remove lectern
test ! -e /usr/bin/lectern && test -e /etc/lectern/lectern.yaml && echo removed
dpkg --purge lectern
test ! -e /etc/lectern/lectern.yaml && test -e /var/lib/lectern/lectern.db && echo purged, data kept`)
	for _, want := range []string{
		"user: /var/lib/lectern:/usr/sbin/nologin", "/usr/bin/lectern 755 root", "/etc/lectern/lectern.yaml 644 root",
		"/etc/lectern/lectern.env 600 root",
		"/var/lib/lectern 700 lectern", "lectern.service 644 root", "changed: \n", " /etc/lectern/lectern.env ",
		" /etc/lectern/lectern.yaml ", "a key was made", "# mine\n",
		"sudo -u lectern lectern keys create --config /etc/lectern/lectern.yaml\n",
		"\nremoved\n", "purged, data kept",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// With the program installed, systemd itself reads the unit and rates its exposure, from 0 (lowest) to 10.
func TestSystemdAcceptsUnit(t *testing.T) {
	out := install(t, `exec 2>&1
dpkg --unpack /lectern.deb >/dev/null
systemd-analyze verify --man=no lectern.service && echo accepted
systemd-analyze security --offline=true --threshold=35 --no-pager /usr/lib/systemd/system/lectern.service | tail -n 1`)
	if !strings.HasPrefix(out, "accepted\n") || !strings.Contains(out, "Overall exposure level for lectern.service") {
		t.Errorf("systemd prints:\n%s", out)
	}
}

// The sandboxes for author code and for agents' programs need namespaces, their own /proc and a host name. Settings
// that prevent these make the server refuse agents' programs, or weaken the sandbox for author code, although the unit
// looks right.
func TestUnitPermitsSandboxes(t *testing.T) {
	unit := string(read(t, repo+"/packaging/lectern.service"))
	have := map[string]string{}
	for line := range strings.SplitSeq(unit, "\n") {
		if key, value, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") {
			have[key] = value
		}
	}
	for _, key := range []string{"ProtectKernelTunables", "ProtectKernelLogs", "ProcSubset", "ProtectHostname",
		"MemoryDenyWriteExecute", "PrivateUsers", "RootDirectory"} {
		if value, set := have[key]; set {
			t.Errorf("%s=%s is set", key, value)
		}
	}
	for key, words := range map[string]string{"RestrictNamespaces": "user mnt pid net ipc uts",
		"SystemCallFilter": "@system-service @mount seccomp sethostname",
		"ProtectSystem":    "strict", "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "User": "lectern",
		"StateDirectory": "lectern"} {
		if value, set := have[key]; !set || value != words {
			t.Errorf("%s=%s, want %s", key, value, words)
		}
	}
}

func TestPackageContainsExpectedFiles(t *testing.T) {
	out := output(t, exec.Command("dpkg-deb", "--contents", filepath.Join(built, dist.Deb(version, linux.Arch))))
	var names []string
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		f := strings.Fields(line)
		if name := f[len(f)-1]; !strings.HasSuffix(name, "/") {
			names = append(names, name)
		}
	}
	want := "./etc/lectern/lectern.env ./etc/lectern/lectern.yaml ./usr/bin/lectern ./usr/lib/systemd/system/lectern.service " +
		"./usr/share/doc/lectern/NOTICE ./usr/share/doc/lectern/THIRD_PARTY.md ./usr/share/doc/lectern/copyright"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the package contains %s\nwant %s", got, want)
	}
}
