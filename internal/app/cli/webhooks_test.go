package cli

import (
	"strings"
	"testing"
)

// An endpoint is created, tested, changed and deleted; its secret is shown only when it is created or rotated.
func TestWebhookEndpointsAreManaged(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.key = strings.TrimSpace(invoke(t, "keys", "create", "--data", s.data, "--scope", "admin").want(t, 0).stdout)
	s.call(t, "webhooks", "create", "http://hooks.example.com/in").want(t, 2, "https://")
	// the host is not contacted: the address is private, as the delivery reports
	made := strings.Fields(s.call(t, "webhooks", "create", "https://127.0.0.1:9/in", "--event", "key.*",
		"--description", "Chat").want(t, 0, "not shown again").stdout)
	if len(made) != 2 || !strings.HasPrefix(made[0], "whe_") || !strings.HasPrefix(made[1], "whsec_") {
		t.Fatalf("printed %q", made)
	}
	delivery := strings.TrimSpace(s.call(t, "webhooks", "test", made[0]).want(t, 0).stdout)
	if all := s.call(t, "webhooks", "deliveries", made[0]).want(t, 0).stdout; !strings.Contains(all, delivery) ||
		!strings.Contains(all, "webhook.test") {
		t.Errorf("listed %s", all)
	}
	s.call(t, "webhooks", "delivery", made[0], delivery).want(t, 0)
	s.call(t, "webhooks", "replay", made[0], delivery).want(t, 0)
	s.call(t, "webhooks", "replay", made[0], "--since", "2026-01-01T00:00:00Z").want(t, 0)
	s.call(t, "webhooks", "replay", made[0]).want(t, 2, "--since")
	rotated := strings.TrimSpace(s.call(t, "webhooks", "rotate", made[0]).want(t, 0).stdout)
	s.call(t, "webhooks", "update", made[0], "--off").want(t, 0)
	list := s.call(t, "webhooks", "list").want(t, 0).stdout + s.call(t, "webhooks", "list", "--json").want(t, 0).stdout
	if !strings.Contains(list, "off") || !strings.Contains(list, "key.*") || strings.Contains(list, "whsec_") || rotated == made[1] {
		t.Errorf("listed %s", list)
	}
	chat := strings.TrimSpace(s.call(t, "webhooks", "create", "https://127.0.0.1:9/in", "--format", "slack").want(t, 0).stdout)
	if !strings.HasPrefix(chat, "whe_") || strings.Contains(chat, "whsec_") ||
		!strings.Contains(s.call(t, "webhooks", "list").want(t, 0).stdout, "slack") {
		t.Errorf("a chat's endpoint is printed as %q", chat)
	}
	s.call(t, "webhooks", "create", "--format", "mail", "--recipient", "a@example.com", "--event", "alert.*").
		want(t, 2, "sends no mail")
	s.call(t, "webhooks", "delete", made[0]).want(t, 0, "was deleted")
	s.call(t, "webhooks", "test", made[0]).want(t, 4, "not found")
}
