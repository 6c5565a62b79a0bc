package searchindex

import (
	"errors"
	"strconv"
)

// ErrFormat means that the index has a format that this program does not support. The search script that was built
// together with the index may support it.
var ErrFormat = errors.New("the search index has a different format from this program's")

// Shards returns the names of the files that an entry refers to. They are in the same folder as the entry. It returns
// an error if the entry is damaged.
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
