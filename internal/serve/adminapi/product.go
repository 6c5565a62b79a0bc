package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showProduct(p project.Product) client.ProductRepository {
	return client.ProductRepository{ID: p.ID, Name: p.Name, Source: client.Source{Repository: &p.Source.Repository,
		Branch: orNull(p.Source.Branch), Credential: orNull(p.Source.Credential)}, Commit: orNull(p.Seen),
		CreatedBy: p.CreatedBy, CreatedAt: stamp(p.CreatedAt)}
}

func productData(p project.Product) map[string]string {
	return map[string]string{"project": p.ProjectID, "name": p.Name, "repository": p.Source.Repository}
}

func (a *api) createProduct(c *call) (response, error) {
	var in struct {
		Name   string      `json:"name" required:"true"`
		Source sourceInput `json:"source" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	name, err := project.CleanProductName(in.Name)
	if err != nil {
		return response{}, err
	}
	if in.Source.Path != "" {
		return response{}, fault.New(fault.Invalid, "invalid_field", "A product repository is a Git repository, not a folder.").
			WithField("source.path")
	}
	source, err := a.cleanSource(c, in.Source)
	if err != nil {
		return response{}, err
	}
	made := project.Product{OrganizationID: c.org(), ProjectID: c.pathID("projectId", id.Project), Name: name,
		Source: source, CreatedBy: c.principal.Actor()}
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		if made, err = tx.CreateProduct(c.ctx(), made); err != nil {
			return err
		}
		// If the source uses the organization's credentials or folders, the repository could belong to another project.
		if (source.Credential != "" || source.Local()) && !c.mayChooseSource() {
			return sourceNeedsAdmin()
		}
		return tx.Record(c.ctx(), a.event(c, "project.product_connect", made.ID, productData(made)))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusCreated, body: showProduct(made)}, nil
}

func (a *api) listProducts(c *call) (response, error) {
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, err := a.Store.ListProducts(c.ctx(), c.org(), p.ID)
	if err != nil {
		return response{}, err
	}
	body := client.ProductRepositoryList{ProductRepositories: []client.ProductRepository{}}
	for _, one := range list {
		body.ProductRepositories = append(body.ProductRepositories, showProduct(one))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) listReceipts(c *call) (response, error) {
	page, err := c.page()
	if err != nil {
		return response{}, err
	}
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	state, err := project.ParseReceiptState(q.Get("state"))
	if err != nil {
		return response{}, err
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListReceipts(c.ctx(), c.org(), p.ID, state, page)
	if err != nil {
		return response{}, err
	}
	body := client.ReceiptList{Receipts: []client.Receipt{}, NextCursor: orNull(next)}
	for _, r := range list {
		body.Receipts = append(body.Receipts, client.Receipt{ID: r.ID, State: string(r.State()), Page: r.Page,
			Sentence: orNull(r.Sentence), Repository: r.Product, Path: r.Path, Line: r.Line, LastLine: r.LastLine(),
			Quotation: r.Quotation, Commit: r.Commit, JobID: r.JobID, StaleAt: stampOrNull(r.StaleAt),
			CreatedAt: stamp(r.CreatedAt)})
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) deleteReceipt(c *call) (response, error) {
	projectID := c.pathID("projectId", id.Project)
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		gone, err := tx.DeleteReceipt(c.ctx(), c.org(), projectID, c.pathID("receiptId", id.Receipt))
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "receipt.review", gone.ID, map[string]string{"project": projectID, "page": gone.Page,
			"repository": gone.Product, "path": gone.Path}))
	})
	return response{status: http.StatusNoContent}, err
}

func (a *api) deleteProduct(c *call) (response, error) {
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		if err := a.holdCaller(c, tx); err != nil {
			return err
		}
		gone, err := tx.DeleteProduct(c.ctx(), c.org(), c.pathID("projectId", id.Project), c.pathID("productId", id.Product))
		if err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "project.product_disconnect", gone.ID, productData(gone)))
	})
	return response{status: http.StatusNoContent}, err
}
