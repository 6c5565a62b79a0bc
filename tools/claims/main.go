package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	write := flag.String("write", "", "rewrite the columns of this `page`")
	check := flag.String("check", "", "fail unless this `page` is up to date")
	flag.Parse()
	if err := run(".", *write, *check, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "claims:", err)
		os.Exit(1)
	}
}

// run reads the tests below root and updates or checks one page.
func run(root, write, check string, out io.Writer) error {
	file := write
	if file == "" {
		file = check
	}
	if file == "" || (write != "" && check != "") {
		return fmt.Errorf("give either -write page or -check page")
	}
	tests, err := collect(os.DirFS(root))
	if err != nil {
		return err
	}
	have, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	p, err := parsePage(string(have))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := p.validate(tests); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	want := p.render(tests)
	_, _ = fmt.Fprintln(out, p.count())
	if check != "" {
		if want != string(have) {
			return fmt.Errorf("%s is out of date: run make claims", file)
		}
		return nil
	}
	return os.WriteFile(file, []byte(want), 0o644)
}
