package publish

import (
	"context"
	"io/fs"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/site/translation"
)

// findTranslations determines the progress of a site's translations. A site with one language has none.
func findTranslations(ctx context.Context, src fs.FS) (list []deploy.Translation, err error) {
	err = translation.Each(ctx, src, func(s translation.Status) {
		at := slices.IndexFunc(list, func(t deploy.Translation) bool { return t.Language == s.Language })
		if at < 0 { // each version of a site may have its own languages
			at, list = len(list), append(list, deploy.Translation{Language: s.Language})
		}
		list[at].Add(s.Path, s.Source.Path, string(s.State))
	})
	return list, err
}
