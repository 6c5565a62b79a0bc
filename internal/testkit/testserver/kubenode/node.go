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
	// Name is the name of the node object.
	Name = "node-1"
	// startLife limits the start of each program. The machine may be busy with other tests.
	startLife = 3 * time.Minute
	// pollEvery is the interval of readiness checks during the start.
	pollEvery = 200 * time.Millisecond
	// logTail is the number of bytes of each program's log that a failed run prints.
	logTail = 4 << 10
)

// Node is a running Kubernetes cluster of one node.
type Node struct {
	// Folder is the working folder. It is removed after the tests.
	Folder string
	// Kubeconfig is a file with administrator credentials.
	Kubeconfig string

	tokens map[string]string // by user
	parts  []string          // names of the started programs, in order
}

// start starts all programs in the empty namespaces of this process. It returns the node even on failure, because the
// node has the logs.
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

// run starts a program that writes to its own log. The program is killed when this process ends.
func (n *Node) run(name string, args ...string) error {
	log, err := os.Create(n.path(name + ".log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the program has its own copy
	cmd := exec.Command(n.program(name), args...)
	cmd.Env = n.environment()
	cmd.Dir = n.Folder
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	n.parts = append(n.parts, name)
	go func() { _ = cmd.Wait() }() // a step that waits for the program fails and prints its log
	return nil
}

// program returns the path of a program in the node's folder, or its name if only the system has it.
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

// environment returns the environment of programs on the node, without the developer's own settings.
func (n *Node) environment() []string {
	return []string{"PATH=" + n.path("bin") + ":" + os.Getenv("PATH"), "HOME=" + n.path("home"),
		"KUBECONFIG=" + n.Kubeconfig, "LC_ALL=C.UTF-8"}
}

// await calls ask until it returns no error.
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

// waitReady waits until the node accepts pods and the pods' service account exists.
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

// Command returns a command with the node's environment, including its kubectl and helm.
func (n *Node) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, n.program(name), args...)
	cmd.Env = n.environment()
	cmd.Dir = n.Folder
	return cmd
}

// printLogs prints the end of each program's log.
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
