//go:build kubernetes

package kubernetes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/kubenode"
)

const (
	domain = "docs.example.com"
	// manyPages makes an export long enough to kill it in the middle, although the publication has filled the build
	// cache.
	manyPages = 15_000
	// podGroup is the chart's security.fsGroup.
	podGroup = 65532
)

// platform is a release of the whole platform.
type platform struct {
	t         *testing.T
	namespace string
	url       string // of the server's service
	key       string
	client    *client.Client
}

// secret creates a Secret with one or more keys.
func secret(t testing.TB, namespace, name string, data object) {
	t.Helper()
	apply(t, object{"apiVersion": "v1", "kind": "Secret", "metadata": object{"name": name, "namespace": namespace},
		"stringData": data})
}

// platformValues returns the values of an operator with a database and a bucket. Resource requests are small, because
// there is only one node.
func platformValues(t *testing.T, workers int) object {
	t.Helper()
	small := object{"requests": object{"cpu": "50m", "memory": "64Mi"}, "limits": object{"memory": "1Gi"}}
	return object{"platform": object{
		"enabled": true, "publicUrl": "http://lectern.example.com",
		"databaseSecret": object{"name": "lectern-database"}, "secretKeySecret": object{"name": "lectern-secret-key"},
		"bucketSecret": object{"name": "lectern-bucket"},
		"settings":     object{"allow-address": []string{kubenode.Address}},
		"server":       object{"replicas": 2, "resources": small},
		"worker":       object{"replicas": workers, "resources": small},
		"shutdown":     object{"delaySeconds": 3, "graceSeconds": 10},
	}}
}

// installPlatform creates the Secrets and installs the release with one worker, as in the guide.
func installPlatform(t *testing.T, name string) *platform {
	t.Helper()
	p := &platform{t: t, namespace: namespace(t, name)}
	secret(t, name, "lectern-database", object{"url": addressForPods(database.Database(t))})
	secret(t, name, "lectern-secret-key", object{"secret-key": "0123456789abcdef0123456789abcdef"})
	secret(t, name, "lectern-bucket", object{"access-key": objects.AccessKey, "secret-key": objects.SecretKey})
	content := platformValues(t, 1)
	content["platform"].(object)["bucketUrl"] = fmt.Sprintf("s3://%s/sites?region=%s&path-style=true&endpoint=%s",
		objects.Bucket(t), objects.Region, addressForPods(objects.Endpoint))
	p.helm("install", chartFile, "--values", values(t, content), "--wait", "--timeout", "4m")
	p.url = "http://" + field(t, name, "service", "lectern-server", ".spec.clusterIP")
	key, err := node.Command(context.Background(), "kubectl", "-n", name, "exec", "deployment/lectern-server", "--",
		"lectern", "keys", "create").Output()
	if err != nil {
		t.Fatalf("create a key: %v", err)
	}
	p.key = strings.TrimSpace(string(key))
	c, err := client.New(p.url, p.key)
	if err != nil {
		t.Fatal(err)
	}
	p.client = c
	return p
}

// helm runs a command for the release in its namespace; an error fails the test.
func (p *platform) helm(command string, args ...string) string {
	p.t.Helper()
	return run(p.t, "helm", append([]string{command, "lectern", "--namespace", p.namespace}, args...)...)
}

// publish creates a project from a repository and waits until it is live.
func (p *platform) publish(r *repository) *client.Project {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	project, err := p.client.CreateProject(ctx, client.CreateProject{Name: "Handbook", Domain: domain,
		Source: client.SourceInput{Repository: r.url, Branch: "main"}})
	if err == nil {
		_, err = p.client.WaitUpdate(ctx, project.LastUpdate.StatusID, nil)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return project
}

// H1: the whole platform runs on PostgreSQL and S3: the hook migrates the database, servers and a worker publish a
// repository, a worker's pod is killed in the middle of an export and another one finishes it, and a CronJob exports on
// a schedule for pods that serve its output.
func TestPlatformSurvivesLossOfWorkerPod(t *testing.T) {
	p := installPlatform(t, "lectern")
	if out := run(t, "kubectl", "-n", p.namespace, "get", "jobs,pods", "-o", "name"); strings.Contains(out, "migrate") {
		t.Errorf("the migration was left behind: %s", out)
	}
	r := newRepository(t, "The first edition.", manyPages)
	project := p.publish(r)
	checkServes(t, p.url+"/", domain, "The first edition.")
	p.helm("test", "--timeout", "2m")
	p.losesAWorkerDuringAnExport()
	p.exportsOnASchedule()
	p.followsTheGuide(r, project.ProjectID)
}

// losesAWorkerDuringAnExport kills the only worker while it builds pages. The pods that replace it must finish the job.
func (p *platform) losesAWorkerDuringAnExport() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	job, err := p.client.StartExport(ctx, client.StartExport{Domain: domain, Version: "v1"})
	if err != nil {
		p.t.Fatal(err)
	}
	eventually(p.t, "the middle of the export", func() bool {
		job, err = p.client.GetExport(ctx, job.JobID)
		return err != nil || job.PageCount > 0 || job.Status == client.ExportStatusCompleted
	})
	if err != nil || job.Status == client.ExportStatusCompleted {
		p.t.Fatalf("the export had ended before its pod could be killed: %+v %v", job, err)
	}
	victim := run(p.t, "kubectl", "-n", p.namespace, "get", "pods", "-l", "app.kubernetes.io/component=worker", "-o",
		"jsonpath={.items[0].metadata.name}")
	run(p.t, "kubectl", "-n", p.namespace, "delete", "pod", victim, "--grace-period=0", "--force")
	p.helm("upgrade", chartFile, "--reset-then-reuse-values", "--set", "platform.worker.replicas=2", "--wait",
		"--timeout", "4m")
	if ready := field(p.t, p.namespace, "deployment", "lectern-worker", ".status.readyReplicas"); ready != "2" {
		p.t.Errorf("%q workers are ready", ready)
	}
	job, err = p.client.WaitExport(ctx, job.JobID, nil)
	if err != nil || job.Status != client.ExportStatusCompleted || job.PageCount < manyPages {
		p.t.Errorf("the export ended as %+v: %v", job, err)
	}
}

// exportsOnASchedule checks that the controller starts the CronJob within a minute and that the pods serve its output.
func (p *platform) exportsOnASchedule() {
	p.t.Helper()
	volumes(p.t, "scheduled", 3)
	for i := range 3 { // owned by the pod group in advance, because drivers of shared volumes do not change owners
		if err := os.Chown(filepath.Join(node.Folder, "volumes", fmt.Sprintf("scheduled-%d", i)), -1,
			podGroup); err != nil {
			p.t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(node.Folder, "volumes", fmt.Sprintf("scheduled-%d", i)), 0o770); err != nil {
			p.t.Fatal(err)
		}
	}
	secret(p.t, p.namespace, "export-key", object{"key": p.key})
	p.helm("upgrade", chartFile, "--reset-then-reuse-values", "--set", "exportJob.enabled=true", "--set-string",
		"exportJob.schedule=* * * * *",
		"--set", "exportJob.domain="+domain, "--set", "exportJob.keySecret.name=export-key",
		"--set", "staticExport.enabled=true",
		"--set", "staticExport.fromExportJob=true", "--set", "staticExport.pollInterval=5s", "--timeout", "4m")
	run(p.t, "kubectl", "-n", p.namespace, "rollout", "status", "statefulset/lectern-docs", "--timeout=3m")
	if owner := run(p.t, "kubectl", "-n", p.namespace, "get", "jobs", "-o",
		"jsonpath={.items[0].metadata.ownerReferences[0].kind}"); owner != "CronJob" {
		p.t.Errorf("the job belongs to %q", owner)
	}
	checkServes(p.t, "http://"+field(p.t, p.namespace, "service", "lectern-docs", ".spec.clusterIP")+"/", "",
		"The first edition.")
}
