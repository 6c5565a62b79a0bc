package bom

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// Document contains the fields of CycloneDX 1.6 that we use.
type Document struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     Metadata     `json:"metadata"`
	Components   []Component  `json:"components"`
	Dependencies []Dependency `json:"dependencies"`
}

// Metadata describes the document's subject.
type Metadata struct {
	Timestamp string    `json:"timestamp"`
	Component Component `json:"component"`
}

// Component is the subject or one of its parts.
type Component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []Hash     `json:"hashes,omitempty"`
	Licences   []Licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []Property `json:"properties,omitempty"`
}

// Hash is a digest of a part's file.
type Hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"` // hexadecimal
}

// Licence is an SPDX expression.
type Licence struct {
	Expression string `json:"expression"`
}

// Property is additional information.
type Property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Dependency lists the parts of a component.
type Dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// New returns a document about subject with its parts in a fixed order.
func New(subject Component, parts []Component, at time.Time) Document {
	d := Document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: Metadata{Timestamp: at.UTC().Format(time.RFC3339), Component: subject}, Components: parts,
	}
	all := Dependency{Ref: subject.Ref, DependsOn: []string{}}
	for _, p := range parts {
		all.DependsOn = append(all.DependsOn, p.Ref)
	}
	d.Dependencies = []Dependency{all}
	d.Serial = serial(d)
	return d
}

// serial returns a UUID derived from the content (RFC 9562, version 8), so that the same list has the same id.
func serial(d Document) string {
	raw, err := json.Marshal(d)
	if err != nil {
		return "" // cannot fail: a struct of strings
	}
	u := sha256.Sum256(raw)
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
}

// Bytes encodes the document.
func (d Document) Bytes() ([]byte, error) {
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write list of parts: %w", err)
	}
	return append(b, '\n'), nil
}

// Parse parses a document.
func Parse(b []byte) (Document, error) {
	var d Document
	if err := json.Unmarshal(b, &d); err != nil {
		return d, fmt.Errorf("read list of parts: %w", err)
	}
	if d.Format != "CycloneDX" || d.Spec != "1.6" {
		return d, fmt.Errorf("read list of parts: not a CycloneDX 1.6 document")
	}
	return d, nil
}
