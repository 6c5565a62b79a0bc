package main

// sample is a code example; its names are replaced, so that no two blocks are the same.
type sample struct {
	lang  string
	names []string
	code  string
}

var samples = []sample{
	{"go", []string{"handle", "job", "store"}, `func handle(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id") // one of ours
	job, err := store.Find(r.Context(), id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(job)
}
`},
	{"python", []string{"start", "domain", "answer"}, `import requests

def start(domain: str, key: str) -> str:
    """Begin and return the id."""
    answer = requests.post(URL, json={"domain": domain}, headers={"Authorization": f"Bearer {key}"})
    answer.raise_for_status()
    return answer.json()["id"]
`},
	{"bash", []string{"jobs", "docs"}, `# begin
export KEY="$(cat key.txt)"
curl -X POST "$BASE/v1/jobs" \
  -H "Authorization: Bearer $KEY" \
  -d '{"domain": "docs.example.com"}' | jq -r .id
`},
	{"json", []string{"state", "tags"}, `{
  "id": "se_3f9a",
  "state": "running",
  "progress": 42,
  "tags": ["a", "b", null, true, 1.5e3],
  "nested": {"a": {"b": []}}
}
`},
	{"typescript", []string{"poll", "Job", "answer"},
		"export async function poll(id: string): Promise<Job> {\n  for (let i = 0; i < 60; i++) {\n" +
			"    const answer = await fetch(`/v1/jobs/${id}`);\n    const job = (await answer.json()) as Job;\n" +
			"    if (job.state === \"completed\") return job; // done\n    await new Promise((r) => setTimeout(r, 1000 * i));\n  }\n  throw new Error(\"late\");\n}\n"},
	{"yaml", []string{"bundle", "replicas"}, `bundle:
  enabled: true # since 1.2
  url: "https://example.com/bundle.tar.gz"
  list:
    - name: one
      size: 12
replicas: 3
`},
}
