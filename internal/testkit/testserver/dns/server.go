package dns

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server answers questions for A, AAAA and TXT records.
type Server struct {
	conn   net.PacketConn
	lookup func(name string) []netip.Addr

	mu    sync.Mutex
	texts map[string][]string // guarded by mu; values of TXT records
	asked map[string]int      // guarded by mu; questions by name
}

// Start runs a server until the test ends. lookup gets names in lower case without their final dot, from one goroutine;
// no address = no answer.
func Start(t testing.TB, lookup func(name string) []netip.Addr) *Server {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &Server{conn: conn, lookup: lookup, texts: map[string][]string{}, asked: map[string]int{}}
	go s.serve()
	return s
}

// Addr returns the server's address, host:port.
func (s *Server) Addr() string { return s.conn.LocalAddr().String() }

// SetTXT gives a name TXT records, each of at most 255 bytes, in place of those it had.
func (s *Server) SetTXT(name string, values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[name] = values
}

// Asked returns how many questions there were about a name.
func (s *Server) Asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name]
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
	kindTXT  = 16
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
	name := strings.ToLower(strings.Join(labels, "."))
	for _, raw := range s.records(name, kind) {
		r = append(append(r, 0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, byte(len(raw))), raw...)
		r[7]++
	}
	return r
}

// records returns the contents of a name's records of a kind.
func (s *Server) records(name string, kind byte) (out [][]byte) {
	s.mu.Lock()
	s.asked[name]++
	texts := s.texts[name]
	s.mu.Unlock()
	if kind == kindTXT {
		for _, text := range texts {
			out = append(out, append([]byte{byte(len(text))}, text...))
		}
		return out
	}
	for _, a := range s.lookup(name) {
		if a.Is4() && kind == kindA || a.Is6() && kind == kindAAAA {
			out = append(out, a.AsSlice())
		}
	}
	return out
}
