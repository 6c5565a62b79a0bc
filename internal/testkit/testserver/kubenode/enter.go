package kubenode

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Enter returns a command that runs one of the machine's programs in a running container's network namespace.
// containerID has the API's format: containerd://ID. This is needed because the tests' images contain no diagnostic
// programs.
func (n *Node) Enter(ctx context.Context, containerID, name string, args ...string) (*exec.Cmd, error) {
	id := strings.TrimPrefix(containerID, "containerd://")
	tasks, err := n.containerd(ctx, "tasks", "list").Output()
	if err != nil {
		return nil, fmt.Errorf("list containers: %w", err)
	}
	for line := range strings.Lines(string(tasks)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == id {
			return n.Command(ctx, "nsenter", append([]string{"--net=/proc/" + words[1] + "/ns/net", name},
				args...)...), nil
		}
	}
	return nil, fmt.Errorf("no container %s among\n%s", id, tasks)
}
