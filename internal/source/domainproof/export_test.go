package domainproof

// AtPort returns a checker that asks hosts for files at another port than 80, which tests may not have.
func (c *Checker) AtPort(port string) *Checker {
	out := *c
	out.port = ":" + port
	return &out
}
