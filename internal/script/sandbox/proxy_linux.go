package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// proxyLink passes a listener out of the sandbox. The listener is created inside, where only the program can connect to
// it, and served outside. This works because a socket belongs to the network namespace in which it was created, no
// matter which process holds it.
type proxyLink struct {
	ours, theirs *os.File

	mu       sync.Mutex
	listener net.Listener // nil until received
	closed   bool
	done     sync.WaitGroup
}

func newProxyLink() (*proxyLink, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("create socket pair: %w", err)
	}
	return &proxyLink{ours: os.NewFile(uintptr(pair[0]), "proxy out"),
		theirs: os.NewFile(uintptr(pair[1]), "proxy in")}, nil
}

// serve waits for the listener and calls proxy with it.
func (w *proxyLink) serve(proxy func(net.Listener)) {
	w.done.Go(func() {
		l, err := receive(w.ours)
		if err != nil {
			return // the sandbox ended first; its report has the reason
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

// close closes the link and waits until proxy has returned.
func (w *proxyLink) close() {
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
		return nil, errors.Join(err, errors.New("no listener received"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, errors.Join(err, errors.New("no listener received"))
	}
	f := os.NewFile(uintptr(fds[0]), "proxy")
	defer f.Close()
	return net.FileListener(f)
}

// offerProxy creates a listener in the sandbox's own network and sends it to the parent. It is called in the first
// stage.
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
	out := os.NewFile(proxyFile, "proxy in")
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
