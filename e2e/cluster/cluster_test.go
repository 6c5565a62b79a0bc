package cluster

import (
	"fmt"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// cluster is a group of servers and workers on one database and one bucket.
type cluster struct {
	t       *testing.T
	url     string // of the database
	bucket  string
	env     []string
	servers []*machine
	workers []*machine
	balance *balancer
}

// newCluster starts all processes at once, on an empty database and an empty bucket. The first process creates the
// tables.
func newCluster(t *testing.T, servers, workers int, settings ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, url: database.Database(t), bucket: objects.Bucket(t)}
	c.env = append([]string{
		"LECTERN_DATABASE=" + c.url,
		"LECTERN_BLOB=s3://" + c.bucket + "/lectern?region=" + objects.Region + "&path-style=true&endpoint=" +
			objects.Endpoint,
		"LECTERN_S3_ACCESS_KEY=" + objects.AccessKey, "LECTERN_S3_SECRET_KEY=" + objects.SecretKey,
		"LECTERN_SECRET_KEY=0123456789abcdef0123456789abcdef",
		"LECTERN_ALLOW_ADDRESS=127.0.0.1", "LECTERN_FIRST_SITE=off", "LECTERN_GIT_POLL_INTERVAL=0",
		"LECTERN_JOB_LEASE=3s", "LECTERN_JOB_HEARTBEAT=250ms", "LECTERN_SHUTDOWN_GRACE=5s",
	}, settings...)
	free := lectern.FreeAddresses(t, 2*servers+workers)
	for i := range servers {
		c.servers = append(c.servers,
			newMachine(t, fmt.Sprintf("server %d", i), free[2*i:2*i+2], c.env, "serve", "--workers=-1"))
	}
	for i := range workers {
		c.workers = append(c.workers,
			newMachine(t, fmt.Sprintf("worker %d", i), free[2*servers+i:], c.env, "worker", "--workers", "1"))
	}
	c.balance = &balancer{machines: c.servers}
	c.startAll()
	return c
}

func (c *cluster) machines() []*machine {
	return append(append([]*machine{}, c.servers...), c.workers...)
}

func (c *cluster) startAll() {
	c.t.Helper()
	var all sync.WaitGroup
	for _, m := range c.machines() {
		all.Go(func() {
			if err := m.start(); err != nil {
				c.t.Error(err)
			}
		})
	}
	all.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// organization creates an organization and returns its key and a client for it that goes through the balancer.
func (c *cluster) organization(name string) (*client.Client, string) {
	c.t.Helper()
	id := lectern.Run(c.t, binary, c.env, "org", "create", name, "--plan", "enterprise", "--data", c.t.TempDir())
	key := lectern.Run(c.t, binary, c.env, "keys", "create", "--data", c.t.TempDir(), "--organization", id, "--scope",
		"read,write,admin")
	return c.client(key, c.balance), key
}

// client returns an API client with a key and the given balancer as its transport.
func (c *cluster) client(key string, through *balancer) *client.Client {
	c.t.Helper()
	made, err := client.New("http://cluster.internal", key, client.WithHTTPClient(through.client()))
	if err != nil {
		c.t.Fatal(err)
	}
	return made
}

// query runs a statement on the database.
func (c *cluster) query(statement string) string {
	c.t.Helper()
	return database.Query(c.t, c.url, statement)
}
