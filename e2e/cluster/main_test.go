package cluster

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/postgres"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// All scenarios share the binary, a database server and an object store, each created once.
var (
	binary   string
	database *postgres.Server
	objects  *s3.Server

	seed    = flag.Uint64("seed", 0, "what chance starts from; 0 for a new one, which is printed")
	turmoil = flag.Duration("turmoil", tier.Choose(15*time.Second, 2*time.Minute), "how long processes are killed at random")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano()) // any number will do
	}
	fmt.Printf("seed %d\n", *seed)
	os.Exit(lectern.Main(m, func(s lectern.Stage) { binary, database, objects = s.Binary, s.Database, s.Objects }))
}
