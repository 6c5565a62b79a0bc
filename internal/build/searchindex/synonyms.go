package searchindex

import (
	"slices"
	"strings"
)

// builtinSynonyms are words and phrases that are common in documentation and mean the same, one group per line. A word
// may be in several groups. A group is included if its words mean the same on most sites; authors can add others.
const builtinSynonyms = `
2fa, mfa, totp, two-factor, multi-factor
abort, cancel, kill, terminate
admin, administrator
alert, notification
allowlist, whitelist
answer, reply
app, application
approval, approve
arg, argument
auth, authentication, authenticate
auth, authorization, authorize
behavior, behaviour
blank, empty
block, deny, blacklist, blocklist
captcha, recaptcha
cert, certificate
change, modify, edit
check, verify, verification, validate, validation
cli, command line, terminal
clone, copy, duplicate
colleague, coworker, teammate
color, colour
combine, merge
config, configuration, configure, setting
cost, price, pricing
country, geo, geolocation
credential, secret
cron, schedule, scheduled, recurring
csv, spreadsheet, excel
customize, customise, customization
db, database
debug, troubleshoot, troubleshooting
delete, remove, deletion, removal
dev, development
dir, directory, folder
disable, deactivate, turn off
display, show
doc, documentation
docker, dockerize, container, containerize
email, mail
enable, activate
env, environment
error, exception
execute, execution, run
expire, expiration, expiry
fast, performance, slow, speed
hide, hidden
i18n, internationalization, localization, localisation, translation, translate
iframe, embed
img, image, picture
install, installation, setup
invite, invitation
invoice, receipt
js, javascript
k8s, kubernetes
license, licence
limit, quota
llm, language model
login, signin, logon
logout, signout
max, maximum
memory, ram
migrate, migration, move
mobile, phone
monitor, monitoring, observability
multiple, several
org, organization, organisation
param, parameter
pause, wait, sleep, delay
pay, payment, payout
perm, permission
photo, image
pic, picture
plan, subscription
postgres, postgresql
prod, production
recover, recovery, restore
repo, repository
rollback, revert, undo
rotate, rotation
sidebar, navigation, nav
signup, register, registration
spec, specification
sso, single sign-on, saml, oidc
throttle, rate limit
tls, ssl, https
tracing, trace, telemetry, opentelemetry
ts, typescript
upgrade, update
var, variable
website, site
`

// phraseMax is the minimum number of recent words of a field that are kept to find phrases.
const phraseMax = 16

// echoShare is the factor with which a word counts in a chunk that only has a synonym of it.
const echoShare = 0.45

// synonyms holds groups of words and phrases that mean the same. A chunk that contains one of them is also indexed
// under the others, so that a query does not have to read additional shards.
type synonyms struct {
	means   map[string][]string   // by term or phrase: the terms of the others
	phrases map[string][][]string // phrases of several words, by the last
}

func newSynonyms(authors [][]string) *synonyms {
	s := &synonyms{means: map[string][]string{}, phrases: map[string][][]string{}}
	for _, group := range authors {
		s.add(group)
	}
	for line := range strings.Lines(strings.TrimSpace(builtinSynonyms)) {
		s.add(strings.Split(strings.TrimSpace(line), ", "))
	}
	return s
}

func (s *synonyms) add(group []string) {
	var all [][]string
	for _, phrase := range group {
		if words := phraseTerms(phrase); len(words) > 0 {
			all = append(all, words)
		}
	}
	for i, words := range all {
		name := strings.Join(words, " ")
		if last := words[len(words)-1]; len(words) > 1 && s.means[name] == nil {
			s.phrases[last] = append(s.phrases[last], words)
		}
		for j, other := range all {
			for _, term := range other {
				if i != j && !slices.Contains(words, term) && !slices.Contains(s.means[name], term) {
					s.means[name] = append(s.means[name], term)
				}
			}
		}
	}
}

// phraseTerms returns the words of a phrase as the index stores them, without common ones. For a single name, such as
// two-factor, it returns only the joined form.
func phraseTerms(phrase string) (out []string) {
	t := tokenizer{}
	t.emit = func(kind int, term []byte, start, end int) {
		switch {
		case kind == part && !common(string(term)):
			out = append(out, string(term))
		case kind == joined:
			if start == 0 && end == len(phrase) {
				out = []string{string(term)}
			}
		}
	}
	t.run(phrase)
	return out
}

// notePhrases records a word of a field and counts the phrases that end with it.
func (g *gatherer) notePhrases(word string, field int) {
	if common(word) {
		return
	}
	if len(g.recent) == cap(g.recent) { // keep the end only
		g.recent = append(make([]string, 0, 64), g.recent[max(0, len(g.recent)-phraseMax):]...)
	}
	g.recent = append(g.recent, word)
	for _, words := range g.synonyms.phrases[word] {
		if n := len(g.recent) - len(words); n >= 0 && slices.Equal(g.recent[n:], words) {
			p := phrase{means: g.synonyms.means[strings.Join(words, " ")]}
			p.count[field]++
			g.phrases = append(g.phrases, p)
		}
	}
}

// phrase is a phrase in the current chunk.
type phrase struct {
	means []string
	count [fields]uint16
}

// addEchoes adds the weights of synonyms of the terms in the current chunk.
func (g *gatherer) addEchoes() {
	for _, id := range g.touched[:len(g.touched):len(g.touched)] {
		g.echo(g.seen[id].means, &g.seen[id].count)
	}
	for i := range g.phrases {
		g.echo(g.phrases[i].means, &g.phrases[i].count)
	}
	g.phrases = g.phrases[:0]
}

func (g *gatherer) echo(means []string, count *[fields]uint16) {
	if len(means) == 0 {
		return
	}
	w := echoShare * weight(count, &g.length)
	for _, term := range means {
		other := g.touch([]byte(term))
		other.echo = max(other.echo, w)
	}
}
