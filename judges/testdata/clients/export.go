// Command export exports a site with the client that oapi-codegen generates: start, poll, download.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/lectern-docs/lectern/tools/judgetools/lecternapi"
)

func main() {
	if err := export(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func export(ctx context.Context) error {
	sign := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Getenv("LECTERN_KEY"))
		return nil
	}
	api, err := lecternapi.NewClientWithResponses(os.Getenv("LECTERN_URL"), lecternapi.WithRequestEditorFn(sign))
	if err != nil {
		return err
	}
	wanted := lecternapi.StartExport{Domain: os.Getenv("LECTERN_DOMAIN")}
	started, err := api.StartStaticExportJobWithResponse(ctx, nil, wanted)
	if err != nil {
		return err
	}
	if started.JSON202 == nil {
		return fmt.Errorf("start: %s %s", started.Status(), started.Body)
	}
	job := *started.JSON202
	for job.Status == lecternapi.ExportStatusQueued || job.Status == lecternapi.ExportStatusRunning {
		time.Sleep(200 * time.Millisecond)
		polled, err := api.GetStaticExportJobWithResponse(ctx, job.JobId, nil)
		if err != nil {
			return err
		}
		if polled.JSON200 == nil {
			return fmt.Errorf("poll: %s %s", polled.Status(), polled.Body)
		}
		job = *polled.JSON200
	}
	return download(ctx, api, job)
}

func download(ctx context.Context, api *lecternapi.ClientWithResponses, job lecternapi.ExportJob) error {
	if job.Status != lecternapi.ExportStatusCompleted {
		return fmt.Errorf("the job %s is %s", job.JobId, job.Status)
	}
	made, err := api.GenerateStaticExportBundleWithResponse(ctx, job.JobId, nil, lecternapi.EmptyObject{})
	if err != nil {
		return err
	}
	if made.JSON200 == nil {
		return fmt.Errorf("bundle: %s %s", made.Status(), made.Body)
	}
	res, err := http.Get(made.JSON200.BundleUrl)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, res.Body); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"pages": job.PageCount, "described": made.JSON200.Sha256, "downloaded": hex.EncodeToString(hash.Sum(nil)),
	})
}
