// Command apitypes writes the Go types of the API from its description, api/openapi.yaml, into client/types.gen.go. The
// server answers with these types and the client reads into them, so each is declared once, in the description.
//
// It runs oapi-codegen with types.yaml and overlay.yaml. That generator sorts the fields of a struct by name; this
// program first numbers the properties, so that answers keep the order of the description.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/util"
	"go.yaml.in/yaml/v3"
)

func main() {
	root := flag.String("root", "../..", "the repository's folder")
	check := flag.Bool("check", false, "write nothing and fail if the types are not those of the description")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "apitypes:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	code, err := generate(filepath.Join(root, "api", "openapi.yaml"), filepath.Join(root, "tools", "apitypes"))
	if err != nil {
		return err
	}
	path := filepath.Join(root, "client", "types.gen.go")
	if !check {
		return os.WriteFile(path, code, 0o644)
	}
	have, err := os.ReadFile(path)
	if err == nil && string(have) != string(code) {
		err = errors.New("client/types.gen.go is not what api/openapi.yaml describes: run `make types`")
	}
	return err
}

// generate is the Go source for a description. dir has the generator's settings.
func generate(description, dir string) ([]byte, error) {
	numbered, err := number(description)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(numbered) }() // a temporary file
	settings, err := os.ReadFile(filepath.Join(dir, "types.yaml"))
	if err != nil {
		return nil, err
	}
	var config codegen.Configuration
	if err := yaml.Unmarshal(settings, &config); err != nil {
		return nil, fmt.Errorf("read types.yaml: %w", err)
	}
	header, err := os.ReadFile(filepath.Join(dir, "imports.tmpl"))
	if err != nil {
		return nil, err
	}
	config.OutputOptions.UserTemplates = map[string]string{"imports.tmpl": string(header)}
	spec, err := util.LoadSwaggerWithOverlay(numbered, util.LoadSwaggerWithOverlayOpts{
		Path: filepath.Join(dir, "overlay.yaml"), Strict: true, AllowRemoteRefsFrom: []string{}})
	if err != nil {
		return nil, err
	}
	code, err := codegen.Generate(spec, config)
	return []byte(code), err
}

// number writes a copy of the description in which each property has its place among its siblings.
func number(description string) (copied string, err error) {
	text, err := os.ReadFile(description)
	if err != nil {
		return "", err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return "", fmt.Errorf("read %s: %w", description, err)
	}
	place(&doc)
	if text, err = yaml.Marshal(&doc); err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "openapi-*.yaml")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return f.Name(), errors.Join(err, f.Close())
}

// place numbers the properties of every schema below a node.
func place(n *yaml.Node) {
	for i := 1; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i-1].Value != "properties" || n.Content[i].Kind != yaml.MappingNode {
			continue
		}
		for j, property := range n.Content[i].Content {
			if j%2 == 1 && property.Kind == yaml.MappingNode {
				property.Content = append(property.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "x-order"},
					&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(j)})
			}
		}
	}
	for _, child := range n.Content {
		place(child)
	}
}
