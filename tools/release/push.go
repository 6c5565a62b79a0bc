package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/lectern-docs/lectern/tools/release/internal/image"
)

// push pushes an image of a release to a registry. User and password come from environment variables.
func push(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("push", flag.ContinueOnError)
	file := flags.String("image", "", "the image's `file` in the release")
	to := flags.String("to", "", "`reference` with a tag, such as ghcr.io/lectern-docs/lectern:1.2.3")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" || *to == "" {
		return errors.New("push requires -image and -to")
	}
	body, err := os.ReadFile(*file)
	if err != nil {
		return fmt.Errorf("read image: %w", err)
	}
	layout, err := image.Parse(body)
	if err != nil {
		return err
	}
	login := authn.Anonymous
	if user := os.Getenv("LECTERN_REGISTRY_USER"); user != "" {
		login = authn.FromConfig(authn.AuthConfig{Username: user, Password: os.Getenv("LECTERN_REGISTRY_PASSWORD")})
	}
	digest, err := layout.Push(ctx, *to, login)
	if err != nil {
		return err
	}
	fmt.Println(digest)
	return nil
}
