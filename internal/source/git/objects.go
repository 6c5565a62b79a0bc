package git

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// objects uses a running "git cat-file --batch": the input is one id per line; the output is "id type size", the
// bytes and a line end.
type objects struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// targets fills in the targets of the links among entries. An overlong target is left empty, which is invalid for a
// link.
func (o *objects) targets(entries []sourcetree.Entry) error {
	var links []*sourcetree.Entry
	for i := range entries {
		if e := &entries[i]; e.Kind == sourcetree.Link && e.Size <= maxTarget {
			links = append(links, e)
		}
	}
	return o.each(len(links), func(i int) string { return links[i].Key }, func(i int, r io.Reader) error {
		target, err := io.ReadAll(r)
		links[i].Target = string(target)
		return err
	})
}

// each requests n objects and passes their bytes to use in order. Requests are sent ahead of reading, because
// otherwise each object would cost a round trip. After an error the caller kills git, which also ends the requests.
func (o *objects) each(n int, id func(int) string, use func(int, io.Reader) error) error {
	if n == 0 {
		return nil
	}
	asked := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(o.in)
		for i := range n {
			_, _ = w.WriteString(id(i) + "\n")
		}
		asked <- w.Flush()
	}()
	for i := range n {
		if err := o.next(func(r io.Reader) error { return use(i, r) }); err != nil {
			return fmt.Errorf("read object: %w", err)
		}
	}
	if err := <-asked; err != nil {
		return fmt.Errorf("request objects: %w", err)
	}
	return nil
}

func (o *objects) next(use func(io.Reader) error) error {
	line, err := o.out.ReadString('\n')
	if err != nil {
		return err
	}
	f := strings.Fields(line)
	if len(f) != 3 || f[1] != "blob" {
		return fmt.Errorf("object is missing or not a file")
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil {
		return err
	}
	body := io.LimitReader(o.out, size)
	if err := use(body); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return err
	}
	_, err = o.out.Discard(1)
	return err
}
