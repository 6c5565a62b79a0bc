package saml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	xrv "github.com/mattermost/xml-roundtrip-validator"
)

// Limits for a document. Real responses have about 50 elements and 10 levels.
const (
	maxDepth    = 50
	maxElements = 20_000
)

// checkDocument rejects XML that parsers interpret differently or that is expensive to parse: document types and
// their entities, processing instructions, deep nesting, and duplicate ids. It also rejects comments, which some
// parsers treat as the end of a text, unless the caller does not read text.
func checkDocument(text []byte, comments bool) error {
	if err := xrv.Validate(bytes.NewReader(text)); err != nil {
		return errors.New("the XML is malformed or ambiguous")
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	depth, elements, roots := 0, 0, 0
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.New("the XML is malformed")
		}
		switch t := token.(type) {
		case xml.Directive:
			return errors.New("the XML contains a document type declaration")
		case xml.ProcInst:
			if t.Target != "xml" || elements > 0 {
				return errors.New("the XML contains a processing instruction")
			}
		case xml.Comment:
			if !comments {
				return errors.New("the XML contains a comment")
			}
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			depth++
			elements++
			if depth > maxDepth || elements > maxElements {
				return fmt.Errorf("the XML has more than %d levels or %d elements", maxDepth, maxElements)
			}
			for _, a := range t.Attr {
				if a.Name.Local != "ID" || a.Name.Space != "" {
					continue
				}
				if ids[a.Value] {
					return errors.New("an ID occurs twice")
				}
				ids[a.Value] = true
			}
		case xml.EndElement:
			depth--
		}
	}
	if roots != 1 {
		return errors.New("the XML does not have exactly one root element")
	}
	return nil
}
