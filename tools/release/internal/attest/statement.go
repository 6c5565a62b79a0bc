package attest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Statement is an in-toto statement (version 1) with SLSA provenance (version 1).
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Subject  `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     Provenance `json:"predicate"`
}

const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
)

// Subject is a released file.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Provenance says how files were made.
type Provenance struct {
	Definition Definition `json:"buildDefinition"`
	Run        Run        `json:"runDetails"`
}

// Definition is everything that decided about the bytes.
type Definition struct {
	BuildType string         `json:"buildType"`
	External  map[string]any `json:"externalParameters"`
	Internal  map[string]any `json:"internalParameters"`
	Resolved  []Material     `json:"resolvedDependencies"`
}

// Dirty names the external parameter that is true if files differed from the commit; then no commit is named.
const Dirty = "dirty"

// Clean says why a statement is not about files of a commit, or returns the commit. What is neither marked nor names
// one commit throughout is refused too.
func (s Statement) Clean() (commit string, err error) {
	d := s.Predicate.Definition
	if _, marked := d.External[Dirty]; marked {
		return "", errors.New("the release was built from changed files, which no commit has")
	}
	commit, _ = d.External["commit"].(string)
	if commit == "" || len(d.Resolved) == 0 || d.Resolved[0].Digest["gitCommit"] != commit {
		return "", errors.New("the provenance does not say which commit it is of")
	}
	return commit, nil
}

// Material is something that the build took in.
type Material struct {
	URI    string            `json:"uri"`
	Digest map[string]string `json:"digest,omitempty"`
}

// Run is who built. There are no times: two builders of one commit say the same but for their names.
type Run struct {
	Builder  Builder        `json:"builder"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Builder names the system that built.
type Builder struct {
	ID string `json:"id"`
}

// NewStatement is about files, by their digests.
func NewStatement(files Sums, p Provenance) Statement {
	s := Statement{Type: statementType, PredicateType: predicateType, Predicate: p}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s.Subject = append(s.Subject, Subject{Name: name, Digest: map[string]string{"sha256": files[name]}})
	}
	return s
}

// Bytes writes the statement.
func (s Statement) Bytes() ([]byte, error) {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write provenance: %w", err)
	}
	return append(b, '\n'), nil
}

// ParseStatement reads a statement; fields that are not ours are refused.
func ParseStatement(b []byte) (Statement, error) {
	var s Statement
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		return s, fmt.Errorf("read provenance: %w", err)
	}
	if dec.More() {
		return s, errors.New("read provenance: there is more than one statement")
	}
	if s.Type != statementType || s.PredicateType != predicateType {
		return s, errors.New("read provenance: it is no statement of SLSA provenance, version 1")
	}
	return s, nil
}

// About returns the digests of its subjects.
func (s Statement) About() (Sums, error) {
	out := Sums{}
	for _, one := range s.Subject {
		if _, twice := out[one.Name]; twice || len(one.Digest) != 1 || one.Digest["sha256"] == "" {
			return nil, fmt.Errorf("read provenance: %s appears twice or has no SHA-256", one.Name)
		}
		out[one.Name] = one.Digest["sha256"]
	}
	return out, nil
}
