//go:build nightly

package browser

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// insideGap marks the copy of the test that runs in an isolated network.
const insideGap = "LECTERN_TEST_INSIDE_GAP"

// runIsolated runs the calling test again in its own network namespace and reports its result. In that namespace, it
// returns false immediately.
func runIsolated(t *testing.T) (outside bool) {
	t.Helper()
	if os.Getenv(insideGap) != "" {
		return false
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), insideGap+"=yes", lectern.BuiltProgram+"="+programPath(t))
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 { // in a new user namespace, any user is root
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in the isolated network: %v", err)
	}
	return true
}

// sink is the destination of everything sent out of the namespace: a device that this process reads. It never responds.
type sink struct {
	t    *testing.T
	mu   sync.Mutex
	sent []string // destinations of packets other than control packets
	seen map[string]bool
	news chan struct{} // capacity 1; filled when a control packet is seen
}

// controls lists the destinations of the control packets, and the name that is looked up.
var controls = []string{"198.51.100.7", "203.0.113.9", "2001:db8:1::7"}

const (
	nameServer  = "192.0.2.53"
	controlName = "control"
)

// setUpNetwork sets up the network: the loopback device, and one that receives packets to all other addresses,
// including name servers.
func setUpNetwork(t *testing.T) *sink {
	t.Helper()
	resolv := filepath.Join(t.TempDir(), "resolv.conf")
	if err := os.WriteFile(resolv, []byte("nameserver "+nameServer+"\noptions timeout:1 attempts:1\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Fatalf("make mounts private: %v", err)
	}
	if err := syscall.Mount(resolv, "/etc/resolv.conf", "", syscall.MS_BIND, ""); err != nil {
		t.Fatalf("replace resolv.conf: %v", err)
	}
	s := &sink{t: t, seen: map[string]bool{}, news: make(chan struct{}, 1)}
	device := openTun(t, "sink")
	ip, err := exec.LookPath("ip")
	if err != nil {
		ip = "/usr/sbin/ip" // where it usually is, but not on every PATH
	}
	for _, line := range []string{"link set lo up", "addr add 192.0.2.1/24 dev sink", "link set sink up",
		"-6 addr add 2001:db8::1/64 dev sink nodad", "route add default dev sink", "-6 route add default dev sink"} {
		if out, err := exec.Command(ip, strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v %s", line, err, out)
		}
	}
	go s.read(device)
	return s
}

// openTun creates a device whose packets are read from the file.
func openTun(t *testing.T, name string) *os.File {
	t.Helper()
	fd, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatalf("open the tun device: %v", err)
	}
	const tunSetIff, iffTun, iffNoPI = 0x400454ca, 0x0001, 0x1000
	var request [40]byte
	copy(request[:16], name)
	binary.NativeEndian.PutUint16(request[16:], iffTun|iffNoPI)
	if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), tunSetIff,
		uintptr(unsafe.Pointer(&request))); code != 0 {
		t.Fatalf("create the tun device: %v", code)
	}
	f := os.NewFile(uintptr(fd), name)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func (s *sink) read(device *os.File) {
	buf := make([]byte, 64<<10)
	for {
		n, err := device.Read(buf)
		if err != nil {
			return
		}
		s.record(buf[:n])
	}
}

// record counts one packet. Packets that the kernel itself sends when a device comes up (router solicitations and group
// reports of IPv6) do not count.
func (s *sink) record(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to, what := "", ""
	switch {
	case len(p) >= 24 && p[0]>>4 == 4:
		head := int(p[0]&15) * 4
		to, what = netip.AddrFrom4([4]byte(p[16:20])).String(), fmt.Sprintf("protocol %d", p[9])
		if len(p) >= head+4 {
			what += fmt.Sprintf(" port %d", binary.BigEndian.Uint16(p[head+2:]))
		}
	case len(p) >= 44 && p[0]>>4 == 6:
		to, what = netip.AddrFrom16([16]byte(p[24:40])).
			String(), fmt.Sprintf("protocol %d port %d", p[6], binary.BigEndian.Uint16(p[42:]))
		if strings.HasPrefix(to, "ff02::") && (p[6] == 58 || p[6] == 0) {
			return
		}
	default:
		to = "an unknown packet"
	}
	for _, c := range controls {
		if to == c {
			s.control(c)
			return
		}
	}
	if to == nameServer && strings.Contains(string(p), string(rune(len(controlName)))+controlName) {
		s.control(controlName)
		return
	}
	s.sent = append(s.sent, fmt.Sprintf("%s %s %q", to, what, p[min(len(p), 28):min(len(p), 120)]))
}

func (s *sink) control(name string) {
	s.seen[name] = true
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// probe verifies that the sink counts packets: it sends one of each kind, and all of them must be seen.
func (s *sink) probe() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	s.mu.Lock()
	clear(s.seen)
	s.mu.Unlock()
	for _, to := range []string{net.JoinHostPort(controls[0], "53"), net.JoinHostPort(controls[2], "53")} {
		c, err := net.Dial("udp", to)
		if err != nil {
			s.t.Fatalf("cannot send the control packets: %v", err)
		}
		_, _ = c.Write([]byte("control"))
		_ = c.Close()
	}
	for _, try := range []func(){
		func() { _, _ = (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(controls[1], "443")) },
		func() { _, _ = (&net.Resolver{PreferGo: true}).LookupHost(ctx, controlName+".example.com") },
	} {
		var wg sync.WaitGroup
		wg.Go(try)
		defer wg.Wait()
	}
	defer cancel() // ends both tries
	s.await(ctx, append([]string{controlName}, controls...)...)
}

// await waits until the named control packets have been seen.
func (s *sink) await(ctx context.Context, names ...string) {
	s.t.Helper()
	for {
		s.mu.Lock()
		missing := slices.ContainsFunc(names, func(n string) bool { return !s.seen[n] })
		s.mu.Unlock()
		if !missing {
			return
		}
		select {
		case <-s.news:
		case <-ctx.Done():
			s.t.Fatalf("the sink saw only %v of the control packets", s.seen)
		}
	}
}

// probeBrowser verifies the same with a page that loads something from outside.
func (s *sink) probeBrowser(p *page) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	p.navigate("data:text/html,<title>x</title>")
	s.mu.Lock()
	clear(s.seen)
	s.mu.Unlock()
	eval[bool](p, `((new Image()).src = "http://`+controlName+`.example.com/x.png") !== ""`)
	s.await(ctx, controlName)
}

// expectEmpty fails the test if any packet other than control packets was sent.
func (s *sink) expectEmpty(when string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.sent {
		s.t.Errorf("%s: a packet went to %s", when, p)
	}
	s.sent = nil
}
