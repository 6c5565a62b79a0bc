package jsrun

import (
	"errors"
	"fmt"
	"time"

	"modernc.org/quickjs"
)

// Limits of one Script. The code is ours, but its input is not trusted.
const (
	scriptMemory = 64 << 20 // bytes
	// far more than the slowest formula takes, so that the result is the same on a busy machine
	scriptTime = time.Minute
)

// Script is one of the platform's own programs, in its own engine. It has one function, which takes and returns a
// string. It must not be used by two goroutines at a time.
type Script struct {
	vm *quickjs.VM
	fn string
}

// OpenScript loads a program, which must define fn as a global function from string to string.
func OpenScript(code []byte, fn string) (*Script, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	s := &Script{vm: vm, fn: fn}
	vm.SetMemoryLimit(scriptMemory)
	if err := vm.SetEvalTimeout(scriptTime); err != nil {
		return nil, errors.Join(fmt.Errorf("limit engine: %w", err), s.Close())
	}
	result, err := vm.EvalValue(string(code), quickjs.EvalGlobal)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("run script: %w", err), s.Close())
	}
	result.Free()
	return s, nil
}

// Call calls the function. After an error, the engine may be out of memory or time, so the caller must close the script
// and open another.
func (s *Script) Call(arg string) (string, error) {
	result, err := s.vm.Call(s.fn, arg)
	if err != nil {
		return "", fmt.Errorf("call %s: %w", s.fn, err)
	}
	text, ok := result.(string)
	if !ok {
		return "", fmt.Errorf("call %s: returned %T, not a string", s.fn, result)
	}
	return text, nil
}

// Close frees the engine's memory.
func (s *Script) Close() error {
	if err := s.vm.Close(); err != nil {
		return fmt.Errorf("close engine: %w", err)
	}
	return nil
}
