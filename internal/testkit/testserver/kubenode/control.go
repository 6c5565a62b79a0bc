package kubenode

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"syscall"
)

const (
	server  = "https://" + Address + ":6443"
	storage = "http://127.0.0.1:2379"
	keyBits = 2048
)

// users returns the users, each with a group or "". Every user has a token. Permissions come from the group or from
// roles that every cluster has for the user's name.
func users() map[string]string {
	return map[string]string{
		"admin":                          "system:masters",
		"system:kube-controller-manager": "",
		"system:kube-scheduler":          "",
		"system:kube-proxy":              "",
		"system:node:" + Name:            "system:nodes",
	}
}

// startControlPlane starts etcd, the API server, the controller manager and the scheduler.
func (n *Node) startControlPlane() error {
	// Its data is in memory, because the cluster exists only during the test.
	if err := os.Mkdir(n.path("etcd"), 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", n.path("etcd"), "tmpfs", 0, "size=512m"); err != nil {
		return fmt.Errorf("mount memory for etcd: %w", err)
	}
	if err := n.run("etcd", "--data-dir="+n.path("etcd", "data"), "--listen-client-urls="+storage,
		"--advertise-client-urls="+storage,
		"--listen-peer-urls=http://127.0.0.1:2380", "--log-level=warn"); err != nil {
		return err
	}
	if err := n.writeTokens(); err != nil {
		return err
	}
	if err := n.writeAccountKey(); err != nil {
		return err
	}
	if err := n.startServer(); err != nil {
		return err
	}
	manager, scheduler := n.kubeconfig("system:kube-controller-manager"), n.kubeconfig("system:kube-scheduler")
	if err := n.run("kube-controller-manager", "--kubeconfig="+manager, "--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file="+n.path("accounts.pem"), "--root-ca-file="+n.authority(),
		"--authentication-skip-lookup=true",
		"--authorization-always-allow-paths=/healthz", "--bind-address=127.0.0.1", "--cert-dir="+n.path("manager"),
		"--node-monitor-grace-period=20s"); err != nil {
		return err
	}
	return n.run("kube-scheduler", "--kubeconfig="+scheduler, "--leader-elect=false",
		"--authentication-skip-lookup=true",
		"--bind-address=127.0.0.1", "--cert-dir="+n.path("scheduler"))
}

func (n *Node) startServer() error {
	if err := n.run("kube-apiserver", "--etcd-servers="+storage, "--bind-address=0.0.0.0", "--secure-port=6443",
		"--advertise-address="+Address,
		"--cert-dir="+n.path("server"), "--token-auth-file="+n.path("tokens.csv"), "--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction", "--service-cluster-ip-range="+serviceNet,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file="+n.path("accounts.pem"), "--service-account-key-file="+
			n.path("accounts.pem"),
		"--kubelet-preferred-address-types=InternalIP", "--enable-priority-and-fairness=false"); err != nil {
		return err
	}
	for user := range users() {
		if err := n.writeKubeconfig(user); err != nil {
			return err
		}
	}
	return await("the API server", func(ctx context.Context) error {
		if out, err := n.Command(ctx, "kubectl", "get", "--raw", "/readyz").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
}

// authority returns the certificate that the API server created for itself.
func (n *Node) authority() string { return n.path("server", "apiserver.crt") }

func (n *Node) writeTokens() error {
	var lines strings.Builder
	for user, group := range users() {
		n.tokens[user] = rand.Text()
		fmt.Fprintf(&lines, "%s,%s,%s,%q\n", n.tokens[user], user, user, group)
	}
	return os.WriteFile(n.path("tokens.csv"), []byte(lines.String()), 0o600)
}

// writeAccountKey creates the key that signs the tokens of service accounts.
func (n *Node) writeAccountKey() error {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return os.WriteFile(n.path("accounts.pem"), pem.EncodeToMemory(block), 0o600)
}

// kubeconfig returns the path of the file with a user's credentials.
func (n *Node) kubeconfig(user string) string {
	return n.path(user[strings.LastIndex(user, ":")+1:] + ".kubeconfig")
}

func (n *Node) writeKubeconfig(user string) error {
	return writeJSON(n.kubeconfig(user), map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "node",
		"clusters": []any{map[string]any{"name": "node", "cluster": map[string]any{"server": server,
			"certificate-authority": n.authority()}}},
		"users":    []any{map[string]any{"name": "user", "user": map[string]any{"token": n.tokens[user]}}},
		"contexts": []any{map[string]any{"name": "node", "context": map[string]any{"cluster": "node", "user": "user"}}},
	})
}
