package publish

import (
	"context"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/site/translation"
)

// findTranslations finds out how far the translations of a site are. A site with one language has none.
func findTranslations(ctx context.Context, src fs.FS) (list []deploy.Translation, err error) {
	err = translation.Each(ctx, src, func(s translation.Status) {
		if n := len(list); n == 0 || list[n-1].Language != s.Language {
			list = append(list, deploy.Translation{Language: s.Language})
		}
		list[len(list)-1].Add(s.Path, s.Source.Path, string(s.State))
	})
	return list, err
}
