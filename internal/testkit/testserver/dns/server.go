package dns

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server answers queries for A, AAAA and TXT records.
type Server struct {
	conn   net.PacketConn
	asking sync.Mutex // held during a call to lookup
	lookup func(name string) []netip.Addr

	mu    sync.Mutex
	texts map[string][]string // guarded by mu; values of TXT records
	asked map[string]int      // guarded by mu; number of queries by name
}

// Start starts a server that runs until the end of the test. lookup is called for one name at a time, in lower case
// without the final dot. If it returns no address, the response has no answer.
func Start(t testing.TB, lookup func(name string) []netip.Addr) *Server {
	t.Helper()
	conn, streams := listen(t)
	t.Cleanup(func() { conn.Close(); streams.Close() })
	s := &Server{conn: conn, lookup: lookup, texts: map[string][]string{}, asked: map[string]int{}}
	go s.serve()
	go s.accept(streams)
	return s
}

// listen finds a port that is free for both UDP and TCP.
func listen(t testing.TB) (net.PacketConn, net.Listener) {
	t.Helper()
	var last error
	for range 20 {
		conn, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		streams, err := net.Listen("tcp", conn.LocalAddr().String())
		if err == nil {
			return conn, streams
		}
		conn.Close()
		last = err
	}
	t.Fatal(last)
	return nil, nil
}

// Addr returns the server's address, host:port.
func (s *Server) Addr() string { return s.conn.LocalAddr().String() }

// SetTXT replaces the TXT records of a name. Each may have at most 255 bytes.
func (s *Server) SetTXT(name string, values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[name] = values
}

// Asked returns the number of queries for a name.
func (s *Server) Asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name]
}

// Resolver returns a resolver that queries this server.
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

// accept answers queries over TCP, which some clients prefer.
func (s *Server) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			for {
				var length uint16
				if binary.Read(conn, binary.BigEndian, &length) != nil {
					return
				}
				question := make([]byte, length)
				if _, err := io.ReadFull(conn, question); err != nil {
					return
				}
				reply := s.reply(question)
				if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
					return
				}
			}
		}()
	}
}

const (
	kindA    = 1
	kindTXT  = 16
	kindAAAA = 28
)

// reply builds the response: the id and the question of the query, followed by the records.
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
	if q[end-4] != 0 {
		return r // types above 255, such as CAA: the server has no such records
	}
	for _, raw := range s.records(name, kind) {
		r = append(append(r, 0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, byte(len(raw))), raw...)
		r[7]++
	}
	return r
}

// records returns the contents of a name's records of the given type.
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
	s.asking.Lock()
	defer s.asking.Unlock()
	for _, a := range s.lookup(name) {
		if a.Is4() && kind == kindA || a.Is6() && kind == kindAAAA {
			out = append(out, a.AsSlice())
		}
	}
	return out
}
