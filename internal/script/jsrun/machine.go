package jsrun

import (
	"errors"
	"fmt"
	"time"

	"modernc.org/quickjs"
)

// machine is a virtual machine that has loaded the prelude.
type machine struct {
	vm           *quickjs.VM
	define, call quickjs.Value
	loaded       map[string]bool // units by id
}

// open creates a machine that has not run any author code.
func (k *maker) open(seed string) (*machine, error) {
	code, err := prelude()
	if err != nil {
		return nil, err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	m := &machine{vm: vm, loaded: map[string]bool{}}
	if err := m.load(k, code, seed); err != nil {
		vm.Close()
		return nil, err
	}
	return m, nil
}

func (m *machine) load(k *maker, code []byte, seed string) error {
	m.vm.SetMemoryLimit(uintptr(k.limits.Memory))
	if k.limits.Stack > 0 {
		m.vm.SetMaxStackSize(uintptr(k.limits.Stack))
	}
	exports, err := m.vm.EvalBytecodeValue(code)
	if err != nil {
		return fmt.Errorf("load prelude: %w", err)
	}
	defer exports.Free()
	start, err := m.property(exports, "start")
	if err != nil {
		return err
	}
	defer start.Free()
	if _, err := start.Call(quickjs.UndefinedValue, float64(k.now.UnixMilli()), seed); err != nil {
		return fmt.Errorf("start prelude: %w", err)
	}
	if m.define, err = m.property(exports, "define"); err != nil {
		return err
	}
	m.call, err = m.property(exports, "call")
	return err
}

func (m *machine) property(v quickjs.Value, name string) (quickjs.Value, error) {
	atom, err := m.vm.NewAtom(name)
	if err != nil {
		return quickjs.Value{}, fmt.Errorf("name property: %w", err)
	}
	got, err := v.GetPropertyValue(atom)
	if err != nil {
		return quickjs.Value{}, fmt.Errorf("get prelude function: %w", err)
	}
	return got, nil
}

// add loads a unit's code. This defines a function, but does not run the unit.
func (m *machine) add(u Unit) error {
	if m.loaded[u.ID] {
		return nil
	}
	unit, err := m.vm.EvalValue(string(u.Code), quickjs.EvalGlobal)
	if err != nil {
		return fmt.Errorf("load unit: %w", err)
	}
	defer unit.Free()
	if _, err = m.define.Call(quickjs.UndefinedValue, u.ID, unit); err != nil {
		return fmt.Errorf("define unit: %w", err)
	}
	m.loaded[u.ID] = true
	return nil
}

// job is one call.
type job struct {
	unit      Unit
	thunk     int
	variables string
	slots     int
}

// engineError is an exception that the engine threw and the prelude did not catch. It can be sent between processes.
type engineError struct{ Name, Message string }

func (e *engineError) Error() string { return e.Name + ": " + e.Message }

// run evaluates a thunk and returns the prelude's answer. Exceptions of the engine are returned as *engineError.
func (m *machine) run(j job, left time.Duration, output int) (string, error) {
	answer, err := m.evaluate(j, left, output)
	var thrown *quickjs.Error
	if errors.As(err, &thrown) {
		err = &engineError{thrown.Name, thrown.Message}
	}
	return answer, err
}

func (m *machine) evaluate(j job, left time.Duration, output int) (string, error) {
	if err := m.vm.SetEvalTimeout(left); err != nil {
		return "", fmt.Errorf("set time limit: %w", err)
	}
	if err := m.add(j.unit); err != nil {
		return "", err
	}
	got, err := m.call.Call(quickjs.UndefinedValue, j.unit.ID, j.thunk, j.variables, j.slots, int(left.Milliseconds()),
		output)
	if err != nil {
		return "", fmt.Errorf("call thunk: %w", err)
	}
	answer, ok := got.(string)
	if !ok {
		return "", fmt.Errorf("the engine returned %T, not a string", got)
	}
	return answer, nil
}

func (m *machine) close() {
	m.define.Free()
	m.call.Free()
	m.vm.Close()
}
