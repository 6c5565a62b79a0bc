package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/vuln/scan"
)

func main() {
	dir := flag.String("dir", ".", "`folder` of the module")
	db := flag.String("db", "", "`URL` of the vulnerability database; without it, that of the Go project")
	policy := flag.String("policy", "", "`file` with the accepted vulnerabilities")
	flag.Parse()
	if err := run(context.Background(), *dir, *db, *policy, flag.Args(), time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "vuln:", err)
		os.Exit(1)
	}
}

// accepted is an entry of the policy.
type accepted struct {
	ID     string `json:"id"`
	Until  string `json:"until"` // last valid day, 2006-01-02
	Reason string `json:"reason"`
}

// run scans packages and compares the result with the policy.
func run(ctx context.Context, dir, db, policy string, packages []string, now time.Time) error {
	raw, err := os.ReadFile(policy)
	if err != nil {
		return fmt.Errorf("read policy: %w", err)
	}
	var allowed []accepted
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&allowed); err != nil {
		return fmt.Errorf("decode policy: %w", err)
	}
	found, err := called(ctx, dir, db, packages)
	if err != nil {
		return err
	}
	return judge(found, allowed, now)
}

// judge returns the reasons not to release.
func judge(found map[string]string, allowed []accepted, now time.Time) error {
	var faults []string
	waived := map[string]bool{}
	for _, a := range allowed {
		until, err := time.Parse(time.DateOnly, a.Until)
		switch {
		case err != nil || strings.TrimSpace(a.Reason) == "":
			faults = append(faults, a.ID+": the policy needs a day in \"until\" and a \"reason\"")
		case !now.Before(until.AddDate(0, 0, 1)):
			faults = append(faults, a.ID+": accepted until "+a.Until+", which has passed")
		case found[a.ID] == "":
			faults = append(faults, a.ID+": accepted by the policy, but not found: remove the entry")
		}
		waived[a.ID] = true
	}
	for id, where := range found {
		if !waived[id] {
			faults = append(faults, fmt.Sprintf("%s: %s is called; update the module, or accept it in the policy", id,
				where))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	slices.Sort(faults)
	return errors.New(strings.Join(faults, "\n"))
}

// called returns the vulnerabilities whose code the packages call, each with the called function.
func called(ctx context.Context, dir, db string, packages []string) (map[string]string, error) {
	args := []string{"-format", "json", "-C", dir}
	if db != "" {
		args = append(args, "-db", db)
	}
	var out, errs bytes.Buffer
	cmd := scan.Command(ctx, append(args, packages...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start scan: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("scan: %w\n%s", err, errs.String())
	}
	return parse(&out)
}

// parse parses the scanner's messages. A trace that starts with a function is a call; others are modules or packages
// that are only required or imported.
func parse(r io.Reader) (map[string]string, error) {
	found := map[string]string{}
	scanned, database := false, false
	for d := json.NewDecoder(r); ; {
		var m struct {
			SBOM   *struct{} `json:"SBOM"`
			Config *struct {
				DBModified *time.Time `json:"db_last_modified"`
			} `json:"config"`
			Finding *struct {
				OSV   string `json:"osv"`
				Trace []struct {
					Package  string `json:"package"`
					Function string `json:"function"`
				} `json:"trace"`
			} `json:"finding"`
		}
		err := d.Decode(&m)
		switch {
		case errors.Is(err, io.EOF) && !scanned:
			return nil, errors.New("the scanner reported no modules: nothing was scanned")
		case errors.Is(err, io.EOF) && !database:
			return nil, errors.New("the vulnerability database is empty or missing")
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("decode scan: %w", err)
		}
		scanned = scanned || m.SBOM != nil
		database = database || (m.Config != nil && m.Config.DBModified != nil && !m.Config.DBModified.IsZero())
		if f := m.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Function != "" {
			found[f.OSV] = f.Trace[0].Package + "." + f.Trace[0].Function
		}
	}
}
