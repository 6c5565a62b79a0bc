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

// receipt records a bundle that was received and verified: from where, with which pin, and when.
type receipt struct {
	Number int64 `json:"number"` // one higher than the previous receipt's
	// digest of the source's identity and the pin; "" in a file written by an earlier version of this program
	Key      string    `json:"key"`
	Source   string    `json:"source"`           // the source's name
	Pinned   bool      `json:"pinned,omitempty"` // a specific version or digest was requested
	Tag      Tag       `json:"tag"`
	Digest   string    `json:"digest"`
	Received time.Time `json:"received"` // for people; receipts are ordered by number
}

// receipts are ordered from oldest to newest. One is added on the first request to a source and whenever the source
// returns something new, before the pointer moves. If the process is killed in between, the next process finds the
// pointer on an older bundle and moves it.
type receipts []receipt

// maxReceipts keeps the file below a few hundred kilobytes. A source whose receipt was dropped counts as new; links
// expire long before that happens.
const maxReceipts = 1000

// receiptKey returns the identity of a request: the same source with a different pin is a different request by the
// operator. It is a digest because a presigned link is a secret.
func receiptKey(src Source, want Expect) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %x", src.Identity(), want.Version, want.SHA256, want.PublicKey)
	return hex.EncodeToString(h.Sum(nil))
}

// receipts reads the receipts file. A file that cannot be parsed counts as empty, so each source counts as new again.
func (v *Volume) receipts() (receipts, error) {
	data, err := os.ReadFile(v.path(sourceName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read receipts: %w", err)
	}
	var file struct {
		Receipts receipts `json:"receipts"`
		receipt           // earlier versions of this program stored only the last receipt
	}
	if err != nil || json.Unmarshal(data, &file) != nil {
		return nil, nil
	}
	if len(file.Receipts) == 0 && file.Digest != "" {
		return receipts{file.receipt}, nil
	}
	return file.Receipts, nil
}

// remember adds a receipt, or updates the tag if the source returned the same bundle as before.
func (v *Volume) remember(list receipts, r receipt) error {
	list = slices.Clone(list)
	if at := list.last(r.Key); at >= 0 && list[at].Digest == r.Digest {
		if list[at].Tag == r.Tag {
			return nil
		}
		list[at].Tag = r.Tag
	} else {
		now, _ := v.Current() // a damaged pointer has no Chosen
		// The number must be higher than the one at the last manual choice, even if the receipts file was lost.
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

// number returns the number of the newest receipt, or 0 if there is none.
func (l receipts) number() int64 {
	if len(l) == 0 {
		return 0
	}
	return l[len(l)-1].Number
}

// last returns the index of the newest receipt with a key, or -1.
func (l receipts) last(key string) int {
	for at, r := range slices.Backward(l) {
		if r.Key == key {
			return at
		}
	}
	return -1
}

// superseded reports whether a bundle is the last one received for the same key and the pointer has since moved to
// another one: manually, or for a bundle received later. A bundle is not superseded if a pin moved the pointer back
// to a bundle received earlier, so that removing the pin undoes the move, or if the pointer fell back because a
// version is damaged. A server with a pin serves the pinned version regardless of the pointer, so it moves the
// pointer only once.
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

// superseded applies receipts.superseded only where it is needed: on a shared volume, and in the process that received
// the bundle earlier.
func (v *Volume) superseded(list receipts, got receipt, now Pointer) bool {
	return (v.Shared || v.asked == got.Key) && list.superseded(got, now)
}

// known returns the receipt to use for a conditional request to the source, if that can save a download. Links to the
// same archive have the same name, so it also works for a renewed link.
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

// replaced reports whether a bundle was superseded by an acceptable one, so that it does not need to be stored.
func (v *Volume) replaced(list receipts, got receipt, want Expect) bool {
	now, err := v.Current()
	if err != nil || slices.Contains(now.Held, got.Digest) || !v.superseded(list, got, now) {
		return false
	}
	r, err := v.Find(now.Digest)
	return err == nil && v.agrees(r, want) == nil
}
