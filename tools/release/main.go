package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		return 1
	}
	return 0
}

func command(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch rest := args[1:]; args[0] {
		case "build":
			return build(ctx, rest)
		case "sign":
			return sign(rest)
		case "verify":
			return verify(rest)
		case "push":
			return push(ctx, rest)
		case "pin":
			return pin(ctx, rest, time.Now())
		}
	}
	return fmt.Errorf("expected a command: build, sign, verify, push or pin")
}
