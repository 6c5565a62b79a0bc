package automation

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Triggers that react to changes or to people's feedback.
const (
	OnRelease  Trigger = "release"  // when a product repository has a new tag
	OnAPI      Trigger = "api"      // when an API description changes in a way that affects clients
	OnFindings Trigger = "findings" // when a publication has findings that the previous one did not have
	OnFeedback Trigger = "feedback" // at scheduled times, if readers said that pages did not help
)

// orList joins triggers with commas and "or".
func orList(list []Trigger) string {
	var b strings.Builder
	for i, t := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(t))
	}
	return b.String()
}

// Counted reports whether automations with this trigger require a number of occurrences, see Automation.AtLeast.
func (t Trigger) Counted() bool { return t == OnFindings || t == OnFeedback }

// Limits of what these triggers pass to an agent.
const (
	MaxAtLeast  = 100
	MaxFindings = 50
	MaxRemarks  = 50
)

const releasePrompt = "The product has a release: the message that follows has the new tags with their messages. Read what the " +
	"release changes, for example in a changelog of the product repository, with search_product and read_product. Change what " +
	"the documentation says that is no longer true, and add what users of the release need. If the documentation needs no " +
	"change, finish and say why."

const apiPrompt = "An API description of the product has changed: the message that follows lists what is different for " +
	"clients. Find the pages that explain these operations, and change what is no longer true or what is missing. If the site " +
	"has a changelog of the API, add an entry. If the documentation needs no change, finish and say why."

const findingsPrompt = "The site was published with new findings: the message that follows lists them. Fix what causes them, with " +
	"as small a change as possible, and check the result. Name in the summary what you could not fix."

const feedbackPrompt = "Readers said that pages did not help them: the message that follows lists which, and their words. Improve " +
	"these pages where the folder has what is needed. Skip what is not about this product, and name in the summary what you could " +
	"not improve."

// Remark is a reader's feedback that a page did not help.
type Remark struct {
	Page    string
	Comment string // untrusted; "" = only a rating
	Code    string // the code block that it refers to; untrusted; "" = none
}

// RemarkList formats remarks for an agent, one per line. For remarks without text, it only lists their number per page.
func RemarkList(list []Remark) string {
	var b strings.Builder
	silent := map[string]int{}
	var pages []string
	for _, r := range list {
		switch {
		case r.Comment == "" && r.Code == "":
			if silent[r.Page]++; silent[r.Page] == 1 {
				pages = append(pages, r.Page)
			}
			continue
		case r.Code != "":
			fmt.Fprintf(&b, "- %s: %s (about the code %s)\n", gapLine(r.Page), gapLine(r.Comment), gapLine(r.Code))
		default:
			fmt.Fprintf(&b, "- %s: %s\n", gapLine(r.Page), gapLine(r.Comment))
		}
	}
	for _, page := range pages {
		fmt.Fprintf(&b, "- %s: not helpful, without a word (%d)\n", gapLine(page), silent[page])
	}
	return "Readers said that these pages did not help:\n" + b.String()
}

// FindingList formats findings for an agent, one per line.
func FindingList(list diag.List) string {
	var b strings.Builder
	b.WriteString("Findings of the published site:\n")
	for i, d := range list {
		if i == MaxFindings {
			fmt.Fprintf(&b, "- and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", clip.Runes(strings.Join(strings.Fields(d.String()), " "), 2*maxGapText))
	}
	return b.String()
}
