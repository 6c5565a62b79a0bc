package bundlestore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// receipt is a bundle that was received and verified: for whom, from where, when.
type receipt struct {
	Number int64 `json:"number"` // one higher than that of the receipt before
	// of the source's identity and the pin; "" in a file of an earlier version of this program
	Key      string    `json:"key"`
	Source   string    `json:"source"`           // the source's name
	Pinned   bool      `json:"pinned,omitempty"` // a version or a digest was asked for
	Tag      Tag       `json:"tag"`
	Digest   string    `json:"digest"`
	Received time.Time `json:"received"` // for people; the order of receipts is that of their numbers
}

// receipts has the oldest first. One is added at the first request to a source and whenever it returns something else
// than before, before the pointer moves. So a process that is killed between the two finds the pointer on an older
// bundle, and moves it.
type receipts []receipt

// maxReceipts bounds the file to some hundred kilobytes. A source whose receipt was dropped is new again; links expire
// long before.
const maxReceipts = 1000

// receiptKey returns the identity of who asks: the same source with another pin is another wish of the operator. It is
// a digest, since a presigned link is a secret.
func receiptKey(src Source, want Expect) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %x", src.Identity(), want.Version, want.SHA256, want.PublicKey)
	return hex.EncodeToString(h.Sum(nil))
}

// receipts reads the file. What cannot be parsed counts as empty: then each source is new once more.
func (v *Volume) receipts() (receipts, error) {
	data, err := os.ReadFile(v.path(sourceName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read receipts: %w", err)
	}
	var file struct {
		Receipts receipts `json:"receipts"`
		receipt           // all that earlier versions of this program wrote: the last one
	}
	if err != nil || json.Unmarshal(data, &file) != nil {
		return nil, nil
	}
	if len(file.Receipts) == 0 && file.Digest != "" {
		return receipts{file.receipt}, nil
	}
	return file.Receipts, nil
}

// remember adds a receipt, or notes the new tag of what the source gave before.
func (v *Volume) remember(list receipts, r receipt) error {
	list = slices.Clone(list)
	if at := list.last(r.Key); at >= 0 && list[at].Digest == r.Digest {
		if list[at].Tag == r.Tag {
			return nil
		}
		list[at].Tag = r.Tag
	} else {
		now, _ := v.Current() // a damaged one chose nothing
		// after what was chosen by hand, also if the file was lost
		r.Number, r.Received = max(list.number(), now.Chosen)+1, v.now().UTC()
		list = append(list, r)
	}
	list = list[max(0, len(list)-maxReceipts):]
	data, err := json.MarshalIndent(map[string]receipts{"receipts": list}, "", " ")
	if err != nil {
		return fmt.Errorf("write receipts: %w", err)
	}
	return v.replace(sourceName, append(data, '\n'))
}

// number is that of the newest receipt; 0 when there is none.
func (l receipts) number() int64 {
	if len(l) == 0 {
		return 0
	}
	return l[len(l)-1].Number
}

// last returns where the newest receipt of a key is; -1 when there is none.
func (l receipts) last(key string) int {
	for at, r := range slices.Backward(l) {
		if r.Key == key {
			return at
		}
	}
	return -1
}

// superseded reports whether a bundle is the one that was received for the same key last, and the pointer has moved to
// another one since: by hand, or for a bundle that was received later. A pin that went back to a bundle which had been
// received before does not count, so that taking the pin away undoes it; nor does a pointer that fell back because a
// version is damaged. A server with a pin serves what it wants wherever the pointer is, so it moves the pointer once
// only.
func (l receipts) superseded(r receipt, now Pointer) bool {
	at := l.last(r.Key)
	if at < 0 || l[at].Digest != r.Digest || now.Digest == "" || now.Digest == r.Digest {
		return false
	}
	if r.Pinned || l[at].Number <= now.Chosen {
		return true
	}
	first := slices.IndexFunc(l, func(r receipt) bool { return r.Digest == now.Digest })
	for i, later := range l[at+1:] {
		if later.Digest == now.Digest && (!later.Pinned || at+1+i == first) {
			return true
		}
	}
	return false
}

// superseded is that of the receipts, where it counts: on a shared volume, and in the process that received the bundle
// before.
func (v *Volume) superseded(list receipts, got receipt, now Pointer) bool {
	return (v.Shared || v.asked == got.Key) && list.superseded(got, now)
}

// known returns what to ask the source about: what it gave before, if asking saves a download. Links to the same
// archive share their name, so a renewed link profits too.
func (v *Volume) known(list receipts, got receipt, want Expect) receipt {
	at := list.last(got.Key)
	if at < 0 {
		for i, r := range list {
			if r.Source == got.Source {
				at = i
			}
		}
	}
	if at < 0 {
		return receipt{}
	}
	known := list[at]
	if _, err := v.Find(known.Digest); err == nil {
		return known
	}
	if got.Digest = known.Digest; known.Key == got.Key && v.replaced(list, got, want) {
		return known
	}
	return receipt{}
}

// replaced reports whether a bundle is superseded by one that is as wanted, so that it need not even be stored.
func (v *Volume) replaced(list receipts, got receipt, want Expect) bool {
	now, err := v.Current()
	if err != nil || slices.Contains(now.Held, got.Digest) || !v.superseded(list, got, now) {
		return false
	}
	r, err := v.Find(now.Digest)
	return err == nil && v.agrees(r, want) == nil
}
