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

// Provenance describes how files were built.
type Provenance struct {
	Definition Definition `json:"buildDefinition"`
	Run        Run        `json:"runDetails"`
}

// Definition contains everything that affects the bytes of the files.
type Definition struct {
	BuildType string         `json:"buildType"`
	External  map[string]any `json:"externalParameters"`
	Internal  map[string]any `json:"internalParameters"`
	Resolved  []Material     `json:"resolvedDependencies"`
}

// Dirty is the name of the external parameter that is true if files differed from the commit. The statement then
// contains no commit.
const Dirty = "dirty"

// Clean returns a statement's commit, or an error if the statement is not about a commit's files. A statement is also
// rejected if it neither contains Dirty nor names the same commit everywhere.
func (s Statement) Clean() (commit string, err error) {
	d := s.Predicate.Definition
	if _, marked := d.External[Dirty]; marked {
		return "", errors.New("the release was built from changed files that no commit contains")
	}
	commit, _ = d.External["commit"].(string)
	if commit == "" || len(d.Resolved) == 0 || d.Resolved[0].Digest["gitCommit"] != commit {
		return "", errors.New("the provenance does not contain a commit")
	}
	return commit, nil
}

// Material is an input of the build.
type Material struct {
	URI    string            `json:"uri"`
	Digest map[string]string `json:"digest,omitempty"`
}

// Run describes the builder. It contains no times, so that two builders' statements about one commit differ only in the
// builder.
type Run struct {
	Builder  Builder        `json:"builder"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Builder identifies the system that built the files.
type Builder struct {
	ID string `json:"id"`
}

// NewStatement returns a statement about files, given by their digests.
func NewStatement(files Sums, p Provenance) Statement {
	s := Statement{Type: statementType, PredicateType: predicateType, Predicate: p}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s.Subject = append(s.Subject, Subject{Name: name, Digest: map[string]string{"sha256": files[name]}})
	}
	return s
}

// Bytes encodes the statement.
func (s Statement) Bytes() ([]byte, error) {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write provenance: %w", err)
	}
	return append(b, '\n'), nil
}

// ParseStatement parses a statement; unknown fields are rejected.
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
		return s, errors.New("read provenance: not a statement of SLSA provenance, version 1")
	}
	return s, nil
}

// About returns the digests of the statement's subjects.
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
