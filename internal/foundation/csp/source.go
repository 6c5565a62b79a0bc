package csp

import (
	"errors"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Limits of an allow-list. Common proxies reject headers of more than about 8 KiB.
const (
	MaxSources = 60      // of one kind
	MaxSource  = 200     // bytes of one source
	MaxBytes   = 4 << 10 // of an author's whole list; integrations add more
)

// Kinds returns the kinds of content for which an author may allow sources. The CSP directive of a kind is its name
// + "-src".
func Kinds() []string {
	return []string{"script", "style", "connect", "frame", "img", "font", "media", "worker"}
}

// address matches scheme://host[:port][/path]. The host may start with "*." if at least two labels follow, so that
// no entry allows a whole top-level domain. The pattern excludes characters that separate sources or directives.
var address = lazyregexp.New(`^(?:https?|wss?)://(?:\*\.[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+|` +
	`[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]+)*|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/%@+-]*)?$`)

var digest = lazyregexp.New(`^'sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}'$`)

// words returns the allowed keywords of a kind. They include neither eval nor inline scripts: if inline scripts were
// allowed, a single bug in the sanitizer would let strangers run code.
func words(kind string) []string {
	switch kind {
	case "script":
		return []string{"'wasm-unsafe-eval'"}
	case "style":
		return []string{"'unsafe-inline'"}
	case "worker":
		return []string{"blob:"}
	}
	return nil
}

// Check returns nil if an author may allow the source for a kind, and otherwise an error with the reason.
func Check(kind, source string) error {
	if len(source) > MaxSource {
		return errors.New("is too long")
	}
	if slices.Contains(words(kind), source) {
		return nil
	}
	if digest.MatchString(source) && (kind == "script" || kind == "style") {
		return nil
	}
	if !address.MatchString(source) {
		return errors.New("must be an origin such as https://cdn.example.com" + also(kind))
	}
	if strings.HasPrefix(source, "ws") && kind != "connect" {
		return errors.New("must be an http or https origin: only connections can be WebSockets")
	}
	return nil
}

func also(kind string) string {
	var list []string
	list = append(list, words(kind)...)
	if kind == "script" || kind == "style" {
		list = append(list, "the digest of an inline "+kind)
	}
	if len(list) == 0 {
		return ""
	}
	return ", " + strings.Join(list, " or ")
}
