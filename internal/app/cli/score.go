package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build/score"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

type scoreCommand struct {
	Site string `arg:"" placeholder:"URL|DIR" help:"Address of a site, or a docs folder, which is built and checked as if it were published."`
	JSON bool   `name:"json" help:"Print one JSON object: url, score, pages, checks."`
	Min  int    `placeholder:"N" help:"Fail if the score is lower."`
	All  bool   `help:"Also show details of checks that passed."`
	scriptFlag
}

// Help returns the long description.
func (scoreCommand) Help() string {
	return `Runs twenty checks of how well programs can read a site, worth one hundred points: page lists, Markdown versions, headers, structured
data, an MCP server and others. Up to ten pages are checked. docs/guides/agents.mdx describes each check.

    lectern score ./docs
    lectern score https://docs.example.com --min 90
    lectern score ./docs --json | jq '.checks[] | select(.status != "pass")'`
}

func (c *scoreCommand) Run(ctx context.Context, r *run) error {
	if c.Min < 0 || c.Min > 100 {
		return fault.New(fault.Invalid, "invalid_field", "--min must be between 0 and 100.").WithField("min")
	}
	address := c.Site
	if info, err := os.Stat(c.Site); err == nil && info.IsDir() {
		scripts, err := c.scripts(r)
		if err != nil {
			return err
		}
		local, err := r.serveBuilt(ctx, c.Site, "127.0.0.1:0", reader.View{}, scripts, c.JSON)
		if err != nil {
			return err
		}
		defer local.Close()
		address = "http://" + local.Listener.Addr().String()
	}
	do, err := visitor(address)
	if err != nil {
		return err
	}
	report, err := score.Run(ctx, address, do)
	if err != nil {
		return err
	}
	if address != c.Site {
		report.URL = c.Site
	}
	if err := c.printResult(r, report); err != nil {
		return err
	}
	if report.Score < c.Min {
		fmt.Fprintf(r.Stderr, "lectern: The score is below %d.\n", c.Min)
		return errReported
	}
	return nil
}

// visitor returns a function that sends requests to public hosts and to the host given on the command line, which may
// also have a private address.
func visitor(address string) (score.Do, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is neither a folder nor the address of a site.",
			address).WithField("site").
			WithHint("Start the address with https:// or http://.")
	}
	guard, err := outbound.NewGuard([]string{u.Hostname(), "127.0.0.1"})
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%q is not a site's address.", address).
			WithField("site").WithCause(err)
	}
	client := guard.Client(outbound.Limits{Bytes: 32 << 20, Time: 30 * time.Second, Redirects: -1})
	return func(ctx context.Context, in score.Request) (score.Response, error) { return visit(ctx, client, in) }, nil
}

func visit(ctx context.Context, client *http.Client, in score.Request) (score.Response, error) {
	req, err := http.NewRequestWithContext(ctx, in.Method, in.URL, strings.NewReader(in.Body))
	if err != nil {
		return score.Response{}, fmt.Errorf("create request: %w", err)
	}
	for name, values := range in.Header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "lectern-score")
	// always this machine, even if the resolver does not know the name
	if host := req.URL.Hostname(); strings.HasSuffix(host, ".localhost") {
		req.Host, req.URL.Host = req.URL.Host, net.JoinHostPort("127.0.0.1", portOf(req.URL))
	}
	res, err := client.Do(req)
	if err != nil {
		return score.Response{}, fmt.Errorf("get %s: %w", in.URL, err)
	}
	defer func() { _ = res.Body.Close() }() // already read to the end, or abandoned
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return score.Response{}, fmt.Errorf("read %s: %w", in.URL, err)
	}
	return score.Response{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// printResult prints the report.
func (c *scoreCommand) printResult(r *run, report *score.Report) error {
	if c.JSON {
		return printJSON(r.Stdout, report)
	}
	for _, one := range report.Checks {
		mark := map[score.Status]string{score.Pass: "pass", score.Partial: "part", score.Fail: "FAIL"}[one.Status]
		fmt.Fprintf(r.Stdout, "%s  %5.1f/%d  %-19s  %s\n", mark, one.Points, one.Weight, one.ID, one.Title)
		if one.Status == score.Pass && !c.All {
			continue
		}
		for _, e := range one.Evidence {
			fmt.Fprintf(r.Stdout, "        %s\n", e)
		}
		if one.Hint != "" {
			fmt.Fprintf(r.Stdout, "        hint: %s\n", one.Hint)
		}
	}
	_, err := fmt.Fprintf(r.Stdout, "\n%d of 100 points; %s checked\n", report.Score, count(len(report.Pages), "page"))
	return err
}
