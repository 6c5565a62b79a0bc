package domainproof

// AtPort returns a checker that requests files from a port other than 80, which tests may not be able to use.
func (c *Checker) AtPort(port string) *Checker {
	out := *c
	out.port = ":" + port
	return &out
}
