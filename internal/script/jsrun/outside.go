package jsrun

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

const (
	openTime = 10 * time.Second // for creating a machine, which runs only our own code: 1 ms on an idle computer
	// if a call exceeds its time limit by this much, its process is killed; usually the engine's own check stops it
	// earlier
	lateness = 100 * time.Millisecond
	// a page may take this many times its time limit in total, regardless of what the process reports
	patience = 5
)

// outside runs a page's machine in another process.
type outside struct {
	pool   *pool
	child  *child
	sent   map[string]bool // units that the machine has loaded
	output int             // bytes of an answer
	whole  func() bool     // stops the timer of the page, see child.within
}

func openOutside(p *pool, c *child, l Limits, o opening) (*outside, error) {
	kept := c.within(openTime)
	defer kept()
	if err := writeJSON(c, open, o); err != nil {
		return nil, errDied()
	}
	if _, err := reply(c, 0); err != nil {
		return nil, err
	}
	return &outside{pool: p, child: c, sent: map[string]bool{}, output: maxAnswer(l.Output),
		whole: c.within(patience * l.Time)}, nil
}

// errDied means that a process exited, or was killed because it sent a malformed frame.
func errDied() error {
	return &Error{Message: "the code terminated the engine's process", Hint: "look for code that uses a lot of memory"}
}

func (o *outside) run(ctx context.Context, j job, left time.Duration) (string, error) {
	defer context.AfterFunc(ctx, o.child.Kill)()
	kept := o.child.within(left + lateness)
	text, err := o.exchange(j, left)
	if !kept() || o.child.late.Load() {
		return "", errTime
	}
	return text, err
}

func (o *outside) exchange(j job, left time.Duration) (string, error) {
	c := calling{Unit: j.unit.ID, Thunk: j.thunk, Variables: j.variables, Slots: j.slots, Left: int64(left)}
	if !o.sent[c.Unit] {
		o.sent[c.Unit] = true
		c.Code = j.unit.Code
	}
	if err := writeJSON(o.child, call, c); err != nil {
		return "", errDied()
	}
	text, err := reply(o.child, o.output)
	return string(text), err
}

// leave returns the process to the pool if this page exceeded no limit, and kills it otherwise.
func (o *outside) leave(whole bool) {
	if o.whole() && whole && !o.child.late.Load() {
		o.pool.give(o.child)
	} else {
		o.pool.drop(o.child)
	}
	<-o.pool.slots
}

// reply reads the answer to a request. The answer may have at most limit bytes.
func reply(c *child, limit int) ([]byte, error) {
	kind, text, err := readFrame(c, max(limit, maxWords))
	if err != nil {
		return nil, errDied()
	}
	switch kind {
	case answer:
		return text, nil
	case thrown:
		js := &engineError{}
		if len(text) <= maxWords && json.Unmarshal(text, js) == nil {
			js.Name, js.Message = excerpt(js.Name, 100), excerpt(js.Message, 1000)
			return nil, js
		}
	case broken:
		if len(text) <= maxWords {
			return nil, errors.New(excerpt(string(text), 1000))
		}
	}
	return nil, errDied()
}
