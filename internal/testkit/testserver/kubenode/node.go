package kubenode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// Name is that of the node object.
	Name = "node-1"
	// startLife bounds the start of each part. The machine may be busy with other tests.
	startLife = 3 * time.Minute
	// pollEvery is the interval of readiness checks during the start.
	pollEvery = 200 * time.Millisecond
	// logTail is how much of each part's log a failed run prints, in bytes.
	logTail = 4 << 10
)

// Node is a running Kubernetes cluster of one node.
type Node struct {
	// Folder is removed after the tests.
	Folder string
	// Kubeconfig is a file with the rights of an administrator.
	Kubeconfig string

	tokens map[string]string // by user
	parts  []string          // names of the programs that were started, in this order
}

// start starts all parts in the empty namespaces of this process. The node that it returns has logs also when it fails.
func start(folder string) (*Node, error) {
	n := &Node{Folder: folder, Kubeconfig: filepath.Join(folder, "admin.kubeconfig"), tokens: map[string]string{}}
	for _, step := range []func() error{
		ownMounts,
		makeNetwork,
		func() error { return linkPrograms(n.path("bin")) },
		func() error { return makeGroups(filepath.Base(folder)) },
		n.startControlPlane,
		n.startRuntime,
		n.startKubelet,
		n.startNetwork,
		n.waitReady,
	} {
		if err := step(); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *Node) path(elements ...string) string {
	return filepath.Join(append([]string{n.Folder}, elements...)...)
}

// run starts a part, which writes to a log of its own. It ends with this process at the latest.
func (n *Node) run(name string, args ...string) error {
	log, err := os.Create(n.path(name + ".log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the part has its own
	cmd := exec.Command(n.program(name), args...)
	cmd.Env = n.environment()
	cmd.Dir = n.Folder
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	n.parts = append(n.parts, name)
	go func() { _ = cmd.Wait() }() // whatever waits for the part fails and prints its log
	return nil
}

// program returns the path of a program: ours, or else the system's.
func (n *Node) program(name string) string {
	if own := n.path("bin", name); exists(own) {
		return own
	}
	return name
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// environment is that of programs on the node: nothing of the developer's own settings is in it.
func (n *Node) environment() []string {
	return []string{"PATH=" + n.path("bin") + ":" + os.Getenv("PATH"), "HOME=" + n.path("home"),
		"KUBECONFIG=" + n.Kubeconfig, "LC_ALL=C.UTF-8"}
}

// await asks until there is no error.
func await(what string, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), startLife)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%s was not ready after %s: %w", what, startLife, err)
		}
	}
}

// waitReady waits until the node takes pods and the account of pods exists.
func (n *Node) waitReady() error {
	return await("a ready node", func(ctx context.Context) error {
		said, err := n.Command(ctx, "kubectl", "get", "node", Name, "-o",
			`jsonpath={.status.conditions[?(@.type=="Ready")].status}`).CombinedOutput()
		if err != nil || string(said) != "True" {
			return fmt.Errorf("kubectl get node: %w: %s", errors.Join(err), said)
		}
		said, err = n.Command(ctx, "kubectl", "get", "serviceaccount", "default").CombinedOutput()
		if err != nil {
			return fmt.Errorf("kubectl get serviceaccount: %w: %s", err, said)
		}
		return nil
	})
}

// Command returns a program with the node's environment: kubectl and helm are those of the node.
func (n *Node) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, n.program(name), args...)
	cmd.Env = n.environment()
	cmd.Dir = n.Folder
	return cmd
}

// printLogs shows the end of each part's log.
func (n *Node) printLogs() {
	for _, name := range n.parts {
		data, err := os.ReadFile(n.path(name + ".log"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		fmt.Fprintf(os.Stderr, "--- end of the log of %s\n%s\n", name,
			strings.TrimSpace(string(data[max(0, len(data)-logTail):])))
	}
}
