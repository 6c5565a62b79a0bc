package rest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

const (
	maxSentence  = 300 // maximum length of a host's message in bytes
	shortestKey  = 4   // hiding shorter secrets would garble the text
	maxDepth     = 6   // maximum nesting of the message's JSON
	maxSentences = 4
)

// sentence extracts the message from an error response. Hosts send JSON objects with message, error, errors or
// error_description, each of which is a text, a list or an object. Anything else, such as an HTML page, contains no
// message.
func sentence(body []byte, hidden []string) string {
	var tree any
	if json.Unmarshal(body, &tree) != nil {
		return ""
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return ""
	}
	var found []string
	for _, key := range []string{"message", "error_description", "error", "errors"} {
		found = collect(found, object[key], maxDepth)
	}
	return clean(strings.Join(found, " "), hidden)
}

// collect appends the texts in a value that are not yet in list.
func collect(list []string, value any, depth int) []string {
	if depth == 0 || len(list) >= maxSentences {
		return list
	}
	switch v := value.(type) {
	case string:
		if text := strings.TrimSpace(v); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	case []any:
		for _, item := range v {
			list = collect(list, item, depth-1)
		}
	case map[string]any:
		if v["message"] != nil {
			return collect(list, v["message"], depth-1)
		}
		// Objects by field name: the message is inside the field.
		for _, key := range sortedKeys(v) {
			if _, isList := v[key].([]any); isList {
				list = collect(list, v[key], depth-1)
			}
		}
	}
	return list
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// clean converts a host's text to one line of limited length without secrets and control characters.
func clean(text string, hidden []string) string {
	text = Line(text, len(text)) // before looking for secrets: an invisible character could split one
	for _, secret := range hidden {
		if len(secret) >= shortestKey {
			text = strings.ReplaceAll(text, secret, "(hidden)")
		}
	}
	return Line(text, maxSentence)
}

// Line converts untrusted text to one line of at most size bytes: line breaks become spaces, invisible characters
// are removed.
func Line(text string, size int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	return clip.Bytes(strings.Join(strings.Fields(text), " "), size)
}

// secrets returns the credentials in a request, in all forms in which a host could echo them.
func secrets(req *http.Request) []string {
	value := req.Header.Get("Authorization")
	if value == "" {
		return nil
	}
	list := []string{value}
	if _, secret, ok := strings.Cut(value, " "); ok {
		list = append(list, secret)
	}
	if _, password, ok := req.BasicAuth(); ok {
		list = append(list, password)
	}
	return list
}
