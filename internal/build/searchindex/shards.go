package searchindex

import (
	"errors"
	"strconv"
)

// ErrFormat means an index in a form that this program does not know. The search that came with it may.
var ErrFormat = errors.New("the search index is in another form than this program's")

// Shards names the files that an entry needs beside itself, in its folder. An entry that is damaged is an error.
func Shards(entry []byte) ([]string, error) {
	var form struct {
		Format int `json:"format"`
	}
	if unwrap("index", entry, &form) == nil && form.Format != format {
		return nil, ErrFormat
	}
	x, err := Open(func(string) ([]byte, error) { return entry, nil })
	if err != nil {
		return nil, err
	}
	var out []string
	for i := range len(x.entry.Sums) / termSum {
		out = append(out, fileName(termName+strconv.Itoa(i), x.entry.Sums[termSum*i:termSum*(i+1)]))
	}
	for i := range len(x.docs) - 1 {
		out = append(out, x.textFile(i))
	}
	if x.entry.Words != "" {
		out = append(out, fileName(wordsName, x.entry.Words))
	}
	return out, nil
}
