package store

import (
	"context"
	"database/sql/driver"
	"errors"
)

// On SQLite, parsing most of our statements takes longer than running them. The driver parses every statement that is
// not prepared, which includes all statements in transactions and all statements in package queue. Each connection
// therefore caches its prepared statements.

// statementsMax is the maximum number of statements that a connection caches. The statements in this package and in
// package queue are constants, some with a list of variable length. When the limit is exceeded, the whole cache is
// cleared.
const statementsMax = 512

// preparingConnector opens connections that cache their prepared statements.
type preparingConnector struct{ driver.Connector }

// sqliteConn has the methods that the driver's connections have. The driver does not export their type.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

var errDriver = errors.New("the SQLite driver lacks a method that the store needs")

// Connect opens a connection.
func (c preparingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	known, ok := conn.(sqliteConn)
	if !ok {
		return nil, errors.Join(errDriver, conn.Close())
	}
	return &preparingConn{sqliteConn: known, idle: map[string]statement{}}, nil
}

// statement has the methods that the driver's statements have.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// preparingConn is a connection that caches prepared statements. database/sql uses a connection from only one goroutine
// at a time.
type preparingConn struct {
	sqliteConn
	idle map[string]statement // prepared statements by text, without those in use
}

// ExecContext runs a statement that returns no rows.
func (c *preparingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	st, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	res, err := st.ExecContext(ctx, args)
	return res, errors.Join(err, c.put(text, st))
}

// QueryContext runs a statement that returns rows. The statement is in use until the rows are closed.
func (c *preparingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	st, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rs, err := st.QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, c.put(text, st))
	}
	return &preparedRows{Rows: rs, done: func() error { return c.put(text, st) }}, nil
}

// take returns a prepared statement for exclusive use.
func (c *preparingConn) take(ctx context.Context, text string) (statement, error) {
	if st, ok := c.idle[text]; ok {
		delete(c.idle, text)
		return st, nil
	}
	made, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	st, ok := made.(statement)
	if !ok {
		return nil, errors.Join(errDriver, made.Close())
	}
	return st, nil
}

// put returns a statement to the cache. The same text may have been prepared again while the rows of this statement
// were read.
func (c *preparingConn) put(text string, st statement) (err error) {
	if _, ok := c.idle[text]; ok {
		return st.Close()
	}
	if len(c.idle) >= statementsMax {
		err = c.forget()
	}
	c.idle[text] = st
	return err
}

func (c *preparingConn) forget() (err error) {
	for _, st := range c.idle {
		err = errors.Join(err, st.Close())
	}
	clear(c.idle)
	return err
}

// Close closes the connection and its statements.
func (c *preparingConn) Close() error { return errors.Join(c.forget(), c.sqliteConn.Close()) }

// preparedRows returns its statement to the cache when it is closed.
type preparedRows struct {
	driver.Rows
	done func() error // nil after Close
}

// Close closes the rows.
func (r *preparedRows) Close() error {
	if r.done == nil {
		return nil
	}
	err := errors.Join(r.Rows.Close(), r.done())
	r.done = nil
	return err
}
