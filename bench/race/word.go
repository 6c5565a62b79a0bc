package race

import "strings"

// words is the vocabulary of the pages, large enough for a realistic search index.
var words = strings.Fields(`account address agent alarm alias amount anchor answer archive argument array article asset attempt author backup badge balance
	banner batch bearer billing binary block body border branch bridge bucket budget buffer build bundle button cache calendar capacity caption card
	category certificate channel chapter character chart check chunk circuit client clock cluster code collector colour column command comment commit
	company component condition config connection console contact container context contract control cookie copy cost counter country coupon crawler
	credential currency cursor customer cycle dashboard database deadline decision default delivery demand deployment design device diagram dialect
	digest directory discount disk document domain draft driver duration editor element email emulator endpoint engine entry error estimate event
	example exchange expense export extension factory failure feature feed field figure file filter finding folder font footer form format frame
	function gateway graph group guard guide handler header health hint history holiday host hour icon identity image import incident index input
	instance integer interval inventory invoice island issue journal keyboard kernel label language lantern latency layer layout ledger letter level
	library licence limit line listener loader locale location lock log machine manifest margin market member memory menu message meter method metric
	migration minute mirror model module monitor mount network node notice number object operator option order origin outline outcome output owner
	package page panel parameter parser partner password path payload payment peer period permission picture pipeline plan platform plugin point policy
	pool port position prefix preview price printer priority process product profile project promise property protocol provider proxy purchase quarter
	query question queue quota rate reader reason receipt record redirect refund region register relay release reminder replica report repository
	request reserve resource response result retry review revision role room route router rule runner sample scale schedule schema scope screen script
	season secret section segment sender sensor sequence server session setting shard shelf signal signature size sketch snapshot socket source space
	span speed stage stamp standard state station statement storage stream string style subject summary supplier surface switch symbol table target task
	team template tenant terminal theme thread ticket timer title token tool topic trace traffic transfer trial trigger tunnel type unit update upload
	user value variable vendor version viewer volume voucher wallet warehouse webhook widget window wizard worker workflow workspace writer zone`)

// verbs are placed between two nouns to form sentences.
var verbs = strings.Fields(`accepts adds allows applies asks begins brings builds carries changes checks chooses closes collects compares contains copies
	counts creates delays delivers describes divides drops ends enters expects explains fills finds follows gives groups handles holds joins keeps
	leaves lists loads marks matches measures moves names needs offers opens orders passes prints protects reads receives refuses removes renews
	repeats replaces returns sends shares shows signs sorts splits starts stops stores takes tells tests tracks turns unlocks uses waits watches writes`)

// sample is a code example. NAME1 to NAME4 are replaced by identifiers, NUMBER by a number that no other page
// contains.
type sample struct{ lang, code string }

var samples = []sample{
	{"go", `// NAME1 copies every NAME2 that is newer than since.
func (s *Store) NAME1(ctx context.Context, since time.Time) (int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, body FROM NAME2 WHERE changed > $1 LIMIT NUMBER", since)
	if err != nil {
		return 0, fmt.Errorf("list NAME2: %w", err)
	}
	defer rows.Close()
	copied := 0
	for rows.Next() {
		var NAME3 Record
		if err := rows.Scan(&NAME3.ID, &NAME3.Body); err != nil {
			return copied, err
		}
		if NAME3.Body != nil && len(NAME3.ID) > 0 {
			s.NAME4 <- NAME3
			copied++
		}
	}
	return copied, rows.Err()
}
`},
	{"python", `from dataclasses import dataclass, field

@dataclass
class NAME1:
    """One entry, with at most NUMBER parts."""

    name: str
    parts: list[str] = field(default_factory=list)

    def NAME2(self, NAME3: int = NUMBER) -> dict[str, float]:
        total = sum(len(p) for p in self.parts)
        if total > NAME3:
            raise ValueError(f"{self.name}: {total} is more than {NAME3}")
        return {p: len(p) / max(total, 1) for p in self.parts if not p.startswith("_")}

print(NAME1("NAME4", ["a", 'b']).NAME2())
`},
	{"bash", `#!/usr/bin/env bash
set -euo pipefail

NAME1="${1:-NUMBER}" # how many
for file in "$HOME"/NAME2/*.json; do
  if [[ -s "$file" && "$(wc -l < "$file")" -gt "$NAME1" ]]; then
    echo "sending $file"
    curl --fail --silent -H "Authorization: Bearer $TOKEN" \
      --data-binary "@$file" "https://api.example.com/NAME3?count=$NAME1" | jq -r '.NAME4[] | .id'
  else
    printf 'left out: %s\n' "$file" >&2
  fi
done
`},
	{"json", `{
  "NAME1": "NUMBER",
  "enabled": true,
  "NAME2": {
    "limit": NUMBER,
    "ratio": 0.25,
    "tags": ["first", "second", null],
    "owner": { "id": "usr_NUMBER", "NAME3": false }
  },
  "list": [
    { "at": "2026-01-31T08:30:00Z", "size": 1.5e3 },
    { "at": "2026-02-28T21:00:00Z", "size": -12 }
  ],
  "NAME4": []
}
`},
	{"typescript",
		"interface NAME1 {\n  id: string;\n  size?: number;\n  parts: Array<{ name: string; done: boolean }>;\n}\n\n" +
			"/** Waits until every part is done, NUMBER times at most. */\nexport async function NAME2(url: URL, limit = NUMBER): Promise<NAME1 | undefined> {\n" +
			"  for (let i = 0; i < limit; i++) {\n    const response = await fetch(`${url.href}/NAME3/${i}`, { headers: { accept: \"application/json\" } });\n" +
			"    if (!response.ok) throw new Error(`status ${response.status}`);\n    const NAME4: NAME1 = await response.json();\n" +
			"    if (NAME4.parts.every((p) => p.done)) return NAME4; // nothing left\n  }\n  return undefined;\n}\n"},
	{"yaml", `apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME1 # as the team calls it
  labels: { app: NAME2, tier: "back" }
spec:
  replicas: NUMBER
  template:
    spec:
      containers:
        - name: NAME3
          image: "images.example.com/NAME3:1.NUMBER"
          args: ["--log", 'json', --verbose]
          resources:
            limits: { memory: 256Mi, cpu: 500m }
          env:
            - name: MODE
              value: |
                NAME4
                on
`},
}
