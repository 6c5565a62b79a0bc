package signin

import "time"

const (
	tryWindow = 15 * time.Minute

	triesByPlace   = 30 // wrong passwords from one network
	triesByPair    = 10 // wrong passwords for one account from one network
	triesAttacked  = 3  // likewise, while the account is attacked from many networks
	triesByDevice  = 10 // wrong passwords, and as many wrong codes, from a browser in which the person signed in before
	triesBySession = 10 // wrong passwords inside a session
	triesByPerson  = 10 // wrong codes for one person from unknown browsers
	triesByHalf    = 5  // wrong codes after one password

	slowFrom     = 20 // failures for one account from everywhere: unknown browsers wait from here on
	attackedFrom = 50 // and networks have fewer attempts from here on
	slowStep     = 10 // failures for each second that they wait longer
	longestWait  = 8 * time.Second
)
