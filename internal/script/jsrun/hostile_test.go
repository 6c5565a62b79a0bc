package jsrun

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// asHostile acts as a process under an attacker's control, which sends arbitrary answers.
func asHostile(role string) error {
	if role == "mute" {
		select {}
	}
	if err := writeFrame(os.Stdout, ready, []byte(protocol)); err != nil {
		return err
	}
	answered := []byte(`{"value":1,"ms":0}`)
	for {
		kind, _, err := readFrame(os.Stdin, maxRequest)
		if err != nil {
			return err
		}
		if kind == open {
			if err := writeFrame(os.Stdout, answer, nil); err != nil {
				return err
			}
			continue
		}
		switch role {
		case "dies":
			return errors.New("gone")
		case "floods": // announces 4 GB, and writes until the pipe is closed
			chunk := make([]byte, 1<<20)
			binary.BigEndian.PutUint32(chunk, 1<<32-1)
			for {
				if _, err := os.Stdout.Write(chunk); err != nil {
					return err
				}
			}
		case "garbles":
			_, err = os.Stdout.WriteString("no frame at all")
		case "unknown kind":
			err = writeFrame(os.Stdout, 'z', nil)
		case "empty frame":
			_, err = os.Stdout.Write([]byte{0, 0, 0, 0, answer})
		case "no JSON":
			err = writeFrame(os.Stdout, answer, []byte("{"))
		case "many values":
			err = writeFrame(os.Stdout, answer, []byte(`{"value":["a"`+strings.Repeat(",1", 1<<20)+`]}`))
		case "lies": // each answer takes nearly all the time, and claims to have taken none
			<-time.After(250 * time.Millisecond)
			err = writeFrame(os.Stdout, answer, answered)
		case "long words":
			err = writeFrame(os.Stdout, answer,
				[]byte(`{"error":"`+strings.Repeat("x", 100_000)+`","notes":["`+strings.Repeat(`","`, 10_000)+`"]}`))
		}
		if err != nil {
			return err
		}
	}
}

// C2: a process that an attacker has taken over is killed, and only its page fails. The parent reads no more than the
// size limit of an answer.
func TestProcessThatBreaksTheProtocolIsKilled(t *testing.T) {
	for _, c := range []struct{ role, want string }{
		{"dies", "terminated the engine's process"}, {"floods", "terminated the engine's process"},
		{"garbles", "terminated the engine's process"},
		{"unknown kind", "terminated the engine's process"}, {"empty frame", "terminated the engine's process"},
		{"no JSON", "cannot be read"},
		{"many values", "too many values"}, {"lies", "ran longer"}, {"long words", "xxxx"},
	} {
		t.Run(c.role, func(t *testing.T) {
			n := newProcesses(t, c.role)
			o := tight()
			o.Limits.Output = 0
			o.Host.Start = n.start
			e := New(o)
			defer e.Close()
			before := heap()
			p := e.Open(context.Background(), "")
			u := Unit{ID: "u", Code: []byte("1")}
			var err error
			for range 100 {
				if _, err = p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
					break
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 {
				t.Errorf("error %v", err)
			}
			if grown := heap() - before; grown > 50<<20 {
				t.Errorf("this process grew by %d MB", grown>>20)
			}
			if c.role != "long words" && alive(n.pids()[0]) {
				t.Error("the process is still running")
			}
			p.Close()
		})
	}
}

// C2: common attacks by authors take little memory in this process, and little time beyond the limit.
func TestParentMemoryIsBounded(t *testing.T) {
	n := newProcesses(t, "serve")
	usual, endless := tight(), brief()
	usual.Host.Start, endless.Host.Start = n.start, n.start
	e, short := New(usual), New(endless)
	defer e.Close()
	defer short.Close()
	u := compile(t, nil, "", `1`, `'x'.repeat(2**40)`,
		`(() => { const a = []; for (;;) a.push(new Array(1000).fill(1)) })()`, `(() => { for (;;); })()`,
		`/^(a+)+$/.test('a'.repeat(40) + 'b')`,
		`(() => { const line = 'x'.repeat(1e6); for (let i = 0; i < 1000; i++) console.log(line) })()`,
		`(() => { const line = 'x'.repeat(1e6); const a = []; for (let i = 0; i < 30; i++) a.push(line); return a })()`)
	before := heap()
	for thunk := 1; thunk <= 6; thunk++ {
		p := e.Open(context.Background(), "")
		if thunk == 3 || thunk == 4 { // they run until their limit
			p = short.Open(context.Background(), "")
		}
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err := p.Call(u, thunk, nil, 0, ast.Span{})
		if took := time.Since(began); took > usual.Limits.Time+lateness+busy {
			t.Errorf("code %d took %v", thunk, took)
		}
		if (err == nil) != (thunk == 5) { // console output is ignored
			t.Errorf("code %d: %v", thunk, err)
		}
		p.Close()
	}
	if grown := heap() - before; grown > 50<<20 {
		t.Errorf("this process grew by %d MB", grown>>20)
	}
}

// heap returns the memory that this process obtained from the system, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestProcessThatNeverBecomesReadyTimesOut(t *testing.T) {
	n := newProcesses(t, "mute")
	e := New(Options{Host: Host{Start: n.start}})
	done := make(chan error, 1)
	go func() {
		_, err := e.Open(context.Background(), "").Call(Unit{ID: "u"}, 0, nil, 0, ast.Span{})
		done <- err
	}()
	<-n.started
	e.Close() // as at the end of a build; waiting for startTime would take too long
	if err := <-done; err == nil {
		t.Error("the process answered")
	}
	if alive(n.pids()[0]) {
		t.Error("the process is still running")
	}
}

// C2: code that the engine cannot interrupt is killed with its process at the deadline, and nothing is left behind.
func TestNativeLoopIsKilledAtItsDeadline(t *testing.T) {
	n := newProcesses(t, "serve")
	o := brief()
	o.Host.Start = n.start
	e := New(o)
	defer e.Close()
	u := compile(t, nil, "", `1`,
		`(() => { const a = 'x'.repeat(1e7), b = 'x'.repeat(1e7); let n = 0; for (;;) if (a === b) n++ })()`)
	p := e.Open(context.Background(), "")
	defer p.Close()
	if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	_, err := p.Call(u, 1, nil, 0, ast.Span{})
	took := time.Since(began)
	if err == nil || !strings.Contains(err.Error(), "ran longer") {
		t.Errorf("error %v", err)
	}
	if took < o.Limits.Time || took > o.Limits.Time+lateness+busy {
		t.Errorf("the call was stopped after %v", took)
	}
	if pids := n.pids(); len(pids) != 1 || alive(pids[0]) {
		t.Errorf("one of the processes %v is still running", pids)
	}
	if got, err := try(t, e, "", `<p>fine</p>`, nil, 0); err != nil || show(got.Value) != "<p>fine</p>" {
		t.Errorf("the next page: %s, %v", show(got.Value), err)
	}
	if len(n.pids()) != 2 {
		t.Errorf("%d processes", len(n.pids()))
	}
}

func TestIdleProcessThatDiedIsReplacedTransparently(t *testing.T) {
	n := newProcesses(t, "serve")
	e := New(Options{Host: Host{Start: n.start}})
	defer e.Close()
	for i := range 3 {
		if got, err := try(t, e, "", `1 + 1`, nil, 0); err != nil || show(got.Value) != "2" {
			t.Fatalf("page %d: %s, %v", i, show(got.Value), err)
		}
		n.born[len(n.born)-1].Kill()
	}
	if len(n.pids()) != 3 {
		t.Errorf("%d processes", len(n.pids()))
	}
}

func TestProcessIsReplacedAfterItsPageLimit(t *testing.T) {
	n := newProcesses(t, "serve")
	e := New(Options{Host: Host{Start: n.start}})
	defer e.Close()
	u := compile(t, nil, "", `1`)
	for range maxPages + 1 {
		p := e.Open(context.Background(), "")
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			t.Fatal(err)
		}
		p.Close()
	}
	if pids := n.pids(); len(pids) != 2 || alive(pids[0]) || !alive(pids[1]) {
		t.Errorf("processes %v", pids)
	}
}

func TestConcurrentPagesGetOneProcessEachUpToTheLimit(t *testing.T) {
	n := newProcesses(t, "serve")
	e := New(Options{Host: Host{Start: n.start}, Processes: 2})
	u := compile(t, nil, "", `globalThis.seen = (globalThis.seen || 0) + 1`)
	open := []*Page{e.Open(context.Background(), "a"), e.Open(context.Background(), "b")}
	for _, p := range open {
		if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
			t.Fatal(err)
		}
	}
	third := make(chan error)
	go func() {
		p := e.Open(context.Background(), "c")
		_, err := p.Call(u, 0, nil, 0, ast.Span{})
		p.Close()
		third <- err
	}()
	open[0].Close()
	if err := <-third; err != nil {
		t.Error(err)
	}
	pids := n.pids()
	e.Close()
	if len(pids) != 2 || slices.ContainsFunc(pids, alive) {
		t.Errorf("after the end: %v", pids)
	}
	if _, err := open[1].Call(u, 0, nil, 0, ast.Span{}); err == nil {
		t.Error("a page outlived its engine")
	}
	open[1].Close()
}

func TestIdleEngineStartsNoProcess(t *testing.T) {
	n := newProcesses(t, "serve")
	e := New(Options{Host: Host{Start: n.start}})
	e.Open(context.Background(), "").Close()
	e.Close()
	if len(n.pids()) != 0 {
		t.Errorf("processes %v", n.pids())
	}
}

// asParent starts a process, prints its id, and lets it run an endless loop that the engine cannot stop.
func asParent() int {
	n := newProcesses(&testing.T{}, "serve")
	e := New(Options{Limits: Limits{Time: time.Hour}, Host: Host{Start: n.start}})
	p := e.Open(context.Background(), "")
	u := Unit{ID: "u",
		Code: []byte(
			`(function (scope, api) { api.define([() => 1, () => { const a = 'x'.repeat(1e7), b = 'x'.repeat(1e7); for (;;) if (a !== b) break }]) })`)}
	if _, err := p.Call(u, 0, nil, 0, ast.Span{}); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(n.pids()[0])
	_, err := p.Call(u, 1, nil, 0, ast.Span{})
	fmt.Println(err)
	return 1
}
