package maintain

import "github.com/lectern-docs/lectern/internal/mdx/write"

// format formats sources. Sources with syntax errors are left unchanged.
func (j *job) format() error {
	return j.each(func(name string, src []byte) error {
		out, changed, list := write.Format(src)
		for _, d := range list {
			if list.HasErrors() && d.Severity == "error" {
				j.left(name, d.Line, d.Message, "a page that cannot be parsed is not formatted")
				return nil
			}
		}
		if !changed {
			return nil
		}
		if ok, err := j.write(name, src, out); err != nil || !ok {
			return err
		}
		j.done(name, 0, "formatted")
		return nil
	})
}
