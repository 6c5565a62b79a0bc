package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// way is how a listener comes out of the sandbox: made inside, where only the program can connect to it, and served outside. Sockets stay in
// the network in which they were made, whoever holds them.
type way struct {
	ours, theirs *os.File

	mu       sync.Mutex
	listener net.Listener // nil until it came
	closed   bool
	done     sync.WaitGroup
}

func newWay() (*way, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make socket: %w", err)
	}
	return &way{ours: os.NewFile(uintptr(pair[0]), "way out"), theirs: os.NewFile(uintptr(pair[1]), "way in")}, nil
}

// serve waits for the listener and hands it over.
func (w *way) serve(proxy func(net.Listener)) {
	w.done.Go(func() {
		l, err := receive(w.ours)
		if err != nil {
			return // the sandbox ended before it came, and says why
		}
		w.mu.Lock()
		w.listener = l
		closed := w.closed
		w.mu.Unlock()
		if closed {
			_ = l.Close()
			return
		}
		proxy(l)
	})
}

// close ends the way, and returns when nobody serves it any more.
func (w *way) close() {
	_ = w.theirs.Close()
	_ = unix.Shutdown(int(w.ours.Fd()), unix.SHUT_RDWR)
	w.mu.Lock()
	w.closed = true
	if w.listener != nil {
		_ = w.listener.Close()
	}
	w.mu.Unlock()
	w.done.Wait()
	_ = w.ours.Close()
}

func receive(from *os.File) (net.Listener, error) {
	rights := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(int(from.Fd()), make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(err, errors.New("no listener came"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, errors.Join(err, errors.New("no listener came"))
	}
	f := os.NewFile(uintptr(fds[0]), "proxy")
	defer f.Close()
	return net.FileListener(f)
}

// offerProxy, in the first stage, makes a listener in the sandbox's own network and gives it away.
func offerProxy() error {
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("bring loopback up: %w", err)
	}
	l, err := net.Listen("tcp4", ProxyAddress)
	if err != nil {
		return err
	}
	defer l.Close()
	f, err := l.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer f.Close()
	out := os.NewFile(proxyFile, "way in")
	defer out.Close()
	return unix.Sendmsg(proxyFile, []byte{1}, unix.UnixRights(int(f.Fd())), nil, 0)
}

func loopbackUp() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo)
}
