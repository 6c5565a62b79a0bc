package signin

import "time"

const (
	tryWindow = 15 * time.Minute

	triesByPlace  = 30 // wrong passwords from one network
	triesByPair   = 10 // wrong passwords for one account from one network
	triesAttacked = 3  // the same, during an attack on the account from many networks
	// wrong passwords, and separately wrong codes, from a browser in which the person has signed in before
	triesByDevice  = 10
	triesBySession = 10 // wrong passwords inside a session
	triesByPerson  = 10 // wrong codes for one person from unknown browsers
	triesByHalf    = 5  // wrong codes after one password

	slowFrom     = 20 // failures for one account, in total, after which unknown browsers must wait
	attackedFrom = 50 // and after which networks have fewer attempts
	slowStep     = 10 // failures per additional second of waiting
	longestWait  = 8 * time.Second
)
