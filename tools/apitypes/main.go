// Command apitypes generates the Go types of the API and the methods of the client from the API description,
// api/openapi.yaml, into client/types.gen.go and client/operations.gen.go. Server and client use the same types, so
// each is declared once, in the description.
//
// It runs oapi-codegen with types.yaml and overlay.yaml. That generator sorts the fields of a struct by name; this
// program first numbers the properties, so that responses keep the order of the description. The generator's own
// client is replaced by client.tmpl, whose methods call the handwritten functions in client/client.go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/util"
	"go.yaml.in/yaml/v3"
)

func main() {
	root := flag.String("root", "../..", "the repository's folder")
	check := flag.Bool("check", false, "write nothing, and fail if the generated code is out of date")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "apitypes:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	files, err := generate(filepath.Join(root, "api", "openapi.yaml"), filepath.Join(root, "tools", "apitypes"))
	if err != nil {
		return err
	}
	for name, code := range files {
		path := filepath.Join(root, "client", name)
		if !check {
			err = errors.Join(err, os.WriteFile(path, []byte(code), 0o644))
			continue
		}
		have, failed := os.ReadFile(path)
		if failed == nil && string(have) != code {
			failed = fmt.Errorf("client/%s does not match api/openapi.yaml: run `make types`", name)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// generate returns the generated Go files by name. dir contains the generator's settings.
func generate(description, dir string) (map[string]string, error) {
	numbered, err := number(description)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(numbered) }() // a temporary file
	config, err := settings(dir)
	if err != nil {
		return nil, err
	}
	spec, err := util.LoadSwaggerWithOverlay(numbered, util.LoadSwaggerWithOverlayOpts{
		Path: filepath.Join(dir, "overlay.yaml"), Strict: true, AllowRemoteRefsFrom: []string{}})
	if err != nil {
		return nil, err
	}
	codegen.TemplateFunctions["operation"] = newOperation
	inlineParameters(spec)
	config.Generate = codegen.GenerateOptions{Client: true}
	operations, err := codegen.Generate(spec, config)
	if err != nil {
		return nil, err
	}
	// Without operations, types are generated only for the schemas.
	spec.Paths = openapi3.NewPaths()
	spec.Components.Parameters, spec.Components.RequestBodies, spec.Components.Responses = nil, nil, nil
	config.Generate = codegen.GenerateOptions{Models: true}
	types, err := codegen.Generate(spec, config)
	return map[string]string{"types.gen.go": types, "operations.gen.go": operations}, err
}

// settings reads oapi-codegen's settings and adds the templates that replace its own.
func settings(dir string) (config codegen.Configuration, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "types.yaml"))
	if err != nil {
		return config, err
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return config, fmt.Errorf("read types.yaml: %w", err)
	}
	// Disable the generator's second client. The generator treats a single-line text as a file name, and a text of
	// only spaces as no template.
	config.OutputOptions.UserTemplates = map[string]string{"client-with-responses.tmpl": "{{``}}\n"}
	for _, name := range []string{"imports.tmpl", "client.tmpl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return config, err
		}
		config.OutputOptions.UserTemplates[name] = string(text)
	}
	return config, nil
}

// inlineParameters copies shared parameters into each operation: a Go type for each would only add names.
func inlineParameters(spec *openapi3.T) {
	for _, item := range spec.Paths.Map() {
		for _, p := range item.Parameters {
			p.Ref = ""
		}
		for _, op := range item.Operations() {
			for _, p := range op.Parameters {
				p.Ref = ""
			}
		}
	}
}

// number writes a copy of the description in which each property has its position among its siblings.
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
