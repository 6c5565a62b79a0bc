package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var description []byte

// JSON returns the description as JSON with keys in the file's order, so that the bytes, and an ETag derived from
// them, are the same for every call of one build.
func JSON() ([]byte, error) { return convert("") }

// JSONOf returns the description as JSON with the address of the server that serves it, such as
// https://lectern.example.com.
func JSONOf(server string) ([]byte, error) { return convert(server) }

// convert returns the description as JSON. It replaces the server address in the file unless server is empty.
func convert(server string) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(description, &root); err != nil {
		return nil, fmt.Errorf("convert API description: %w", err)
	}
	if server != "" {
		if err := setServer(root.Content[0], server); err != nil {
			return nil, fmt.Errorf("convert API description: %w", err)
		}
	}
	var out bytes.Buffer
	if err := write(&out, root.Content[0]); err != nil {
		return nil, fmt.Errorf("convert API description: %w", err)
	}
	return out.Bytes(), nil
}

// setServer replaces the list of servers.
func setServer(root *yaml.Node, url string) error {
	var list yaml.Node
	if err := list.Encode([]map[string]string{{"url": url, "description": "This server."}}); err != nil {
		return err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "servers" {
			root.Content[i+1] = &list
			return nil
		}
	}
	return errors.New("it names no servers")
}

// write adds a value to out.
func write(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.AliasNode:
		// Some YAML parsers do not resolve aliases and merge keys, so the file has none.
		return fmt.Errorf("line %d: alias *%s, write the value out or refer to a component", n.Line, n.Value)
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteString(", ")
			}
			if err := write(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	case yaml.MappingNode:
		return writeObject(out, n.Content)
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return writeScalar(out, value)
}

func writeObject(out *bytes.Buffer, pairs []*yaml.Node) error {
	out.WriteByte('{')
	for i := 0; i+1 < len(pairs); i += 2 {
		if i > 0 {
			out.WriteString(", ")
		}
		if err := writeScalar(out, pairs[i].Value); err != nil {
			return err
		}
		out.WriteString(": ")
		if err := write(out, pairs[i+1]); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeScalar(out *bytes.Buffer, value any) error {
	text, err := json.Marshal(value)
	out.Write(text)
	return err
}
