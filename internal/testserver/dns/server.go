package dns

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// Server answers questions for A and AAAA records.
type Server struct {
	conn   net.PacketConn
	lookup func(name string) []netip.Addr
}

// Start runs a server until the test ends. lookup gets names in lower case without their final dot, from one goroutine; no address = no answer.
func Start(t testing.TB, lookup func(name string) []netip.Addr) *Server {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &Server{conn: conn, lookup: lookup}
	go s.serve()
	return s
}

// Resolver asks the server.
func (s *Server) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		d := net.Dialer{Timeout: time.Second}
		return d.DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

func (s *Server) serve() {
	buf := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if reply := s.reply(buf[:n]); reply != nil {
			_, _ = s.conn.WriteTo(reply, from)
		}
	}
}

const (
	kindA    = 1
	kindAAAA = 28
)

// reply copies the header's id and the question, and appends the records.
func (s *Server) reply(q []byte) []byte {
	end, labels := 12, []string{}
	for end < len(q) && q[end] != 0 {
		next := end + int(q[end]) + 1
		if next > len(q) {
			return nil
		}
		labels = append(labels, string(q[end+1:next]))
		end = next
	}
	end += 5
	if end > len(q) {
		return nil
	}
	r := append([]byte{q[0], q[1], 0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
	kind := q[end-3]
	for _, a := range s.lookup(strings.ToLower(strings.Join(labels, "."))) {
		if a.Is4() && kind != kindA || a.Is6() && kind != kindAAAA {
			continue
		}
		raw := a.AsSlice()
		r = append(append(r, 0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, byte(len(raw))), raw...)
		r[7]++
	}
	return r
}
