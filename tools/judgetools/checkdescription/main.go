// Command checkdescription validates an OpenAPI description with a widely used Go library: checkdescription
// kin-openapi|libopenapi FILE.
//
// The judges run it. It is a separate module so that the product does not depend on the libraries.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: checkdescription kin-openapi|libopenapi FILE")
		os.Exit(2)
	}
	if err := check(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(library, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch library {
	case "kin-openapi":
		return checkKin(text)
	case "libopenapi":
		return checkLibopenapi(text)
	}
	return fmt.Errorf("unknown library %q, want kin-openapi or libopenapi", library)
}

// checkKin also validates examples and defaults against their schemas.
func checkKin(text []byte) error {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return err
	}
	return doc.Validate(context.Background(), openapi3.EnableMultiError())
}

// checkLibopenapi builds the model, which resolves every reference, and validates the file against the schema
// published by the OpenAPI Initiative.
func checkLibopenapi(text []byte) error {
	doc, err := libopenapi.NewDocument(text)
	if err != nil {
		return err
	}
	if _, err := doc.BuildV3Model(); err != nil {
		return err
	}
	checker, found := validator.NewValidator(doc)
	if len(found) > 0 {
		return errors.Join(found...)
	}
	_, mistakes := checker.ValidateDocument()
	for _, mistake := range mistakes {
		found = append(found, fmt.Errorf("%s: %s", mistake.Message, mistake.Reason))
		for _, cause := range mistake.SchemaValidationErrors {
			found = append(found, fmt.Errorf("  %s: %s", cause.FieldPath, cause.Reason))
		}
	}
	return errors.Join(found...)
}
