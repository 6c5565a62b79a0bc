package telemetry

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// The shapes of secrets that can be recognized in text.
//
//	key    = "lectern_" and at least 20 letters or digits: longer than any metric's name, shorter than any admin API key
//	user   = text between "://" and the last "@" before the path: user, password or token
//	query  = a parameter that makes a link work for anyone who has it
//	bearer = text after the word in an Authorization header
var (
	keyShape   = lazyregexp.New(`lectern_[0-9A-Za-z]{20,}`)
	userShape  = lazyregexp.New(`([a-zA-Z][a-zA-Z0-9+.-]*://)(?:[^/?#\s"]|\\")*@`)
	queryShape = lazyregexp.New(
		`(?i)((?:[?&]|\\u0026)(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|sig|token)=)[^&\s"\\]+`)
	bearerShape = lazyregexp.New(`(?i)(\bbearer\s+)[0-9a-z._~+/=-]{16,}`)
)

const masked = "***"

// minLiteral is the minimum length, in bytes, of known secrets that are masked: shorter ones would mask ordinary
// words.
const minLiteral = 8

// Redactor masks secrets in text (K9). It is immutable; the zero Redactor recognizes only the shapes.
type Redactor struct {
	literals *strings.Replacer // nil = none
}

// NewRedactor returns a Redactor that also masks these values wherever they occur.
func NewRedactor(secrets ...string) Redactor {
	var pairs []string
	// Longest first, so that a secret that starts with another is masked completely.
	for _, s := range slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) }) {
		if len(s) < minLiteral {
			continue
		}
		pairs = append(pairs, s, masked)
		if quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s); quoted != s {
			pairs = append(pairs, quoted, masked)
		}
	}
	if len(pairs) == 0 {
		return Redactor{}
	}
	return Redactor{literals: strings.NewReplacer(pairs...)}
}

// Redact returns text with its secrets masked.
func (r Redactor) Redact(text string) string {
	if r.literals != nil {
		text = r.literals.Replace(text)
	}
	return string(r.shapes([]byte(text)))
}

func (r Redactor) shapes(text []byte) []byte {
	if bytes.Contains(text, []byte("lectern_")) {
		text = keyShape.ReplaceAll(text, []byte("lectern_"+masked))
	}
	if bytes.IndexByte(text, '@') >= 0 {
		text = userShape.ReplaceAll(text, []byte("${1}"+masked+"@"))
	}
	if bytes.IndexByte(text, '=') >= 0 {
		text = queryShape.ReplaceAll(text, []byte("${1}"+masked))
	}
	return bearerShape.ReplaceAll(text, []byte("${1}"+masked))
}

// Writer masks data written to w. Each call of Write must contain whole records, which is the case with slog's
// handlers: masking complete lines covers messages, keys, values, groups and structs alike.
func (r Redactor) Writer(w io.Writer) io.Writer { return redactWriter{redactor: r, to: w} }

type redactWriter struct {
	redactor Redactor
	to       io.Writer
}

func (w redactWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, w.redactor.Redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
