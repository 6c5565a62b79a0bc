package highlight

import (
	"regexp"

	"github.com/alecthomas/chroma/v2"
)

// dialect describes a language with the usual structure: comments, strings, numbers, words, calls.
type dialect struct {
	name      string
	comment   string // pattern of a line comment
	block     bool   // supports /* … */ too
	keywords  string
	types     string // names of types, in addition to words with a capital letter
	constants string
	name1     string // characters allowed in names in addition to word characters; "" = none
	anyCase   bool
}

// family lists languages of this structure that occur on pages. Their words are those that readers expect to be
// highlighted. They are not complete grammars.
func family() []dialect {
	const slashes = `//[^\n]*`
	return []dialect{
		{name: "tolk", comment: slashes, block: true, constants: "true false null",
			keywords: "import global const type struct enum fun get asm builtin var val redef return repeat if else do while try catch throw assert match is as mutate lazy private readonly tolk contract",
			types:    "int bool cell slice builder tuple continuation address coins void never self int8 int16 int32 int64 int128 int256 int257 uint8 uint16 uint32 uint64 uint128 uint256 bits256 bits512 map dict"},
		{name: "func", comment: `;;[^\n]*`, name1: `?!:'`, constants: "true false nil null",
			keywords: "return var repeat do while until try catch ifnot ifdef ifndef if else elseif elseifnot then impure inline inline_ref method_id auto_apply asm global const forall infix infixl infixr operator",
			types:    "int cell slice builder cont tuple type"},
		{name: "tact", comment: slashes, block: true, constants: "true false null self",
			keywords: "import primitive const fun asm native contract trait struct message extends mutates virtual override inline abstract get receive bounced external init let return if else while repeat until do foreach in try catch as with initOf",
			types:    "int8 int32 uint8 uint16 uint32 uint64 uint256 coins map"},
		{name: "tlb", comment: slashes, block: true, keywords: "type Type EMPTY",
			types: "Bool Cell Any Bit nat uint int bits"},
		{name: "move", comment: slashes, block: true, constants: "true false self Self",
			keywords: "module script use friend fun public entry native inline struct enum has copy drop store key const let mut return abort if else while loop for in break continue move as acquires spec assert match phantom",
			types:    "u8 u16 u32 u64 u128 u256 bool address vector signer"},
		{name: "cadence", comment: slashes, block: true, constants: "true false nil self",
			keywords: "access all pub priv import from let var fun init destroy contract struct resource interface event emit enum case entitlement mapping attachment attach to remove transaction prepare execute pre post return if else while for in switch break continue create move as auth include require view static native",
			types:    "self"},
		{name: "prisma", comment: slashes, constants: "true false null autoincrement now uuid cuid dbgenerated",
			keywords: "model enum type view datasource generator", types: "provider"},
		{name: "kusto", comment: slashes,
			constants: "true false null dynamic", anyCase: true,
			keywords: "let set where project extend summarize join union on by asc desc order sort take limit top count distinct render parse evaluate invoke lookup mv-expand make-series facet find search print range datatable externaldata materialize and or not in has contains startswith endswith between matches regex kind inner outer leftouter with as of step from to default",
			types:    "string int long real datetime timespan bool guid decimal"},
		{name: "hcl", comment: `(?:#|//)[^\n]*`, block: true, constants: "true false null",
			keywords: "resource data variable output module provider terraform locals moved import removed check assert for in if else for_each count depends_on lifecycle dynamic content backend required_providers provisioner connection job group task template service config",
			types:    "string number bool list map set object tuple any"},
		{name: "cypher", comment: slashes, block: true, constants: "true false null", anyCase: true,
			keywords: "match optional where return create merge delete detach set remove with unwind as order by skip limit asc desc distinct on call yield union all foreach and or xor not in starts ends contains is exists case when then else end index constraint for require load csv from"},
		{name: "motoko", comment: slashes, block: true, constants: "true false null",
			keywords: "actor and assert async await break case catch class continue debug else flexible for from func if ignore import in module not object or label let loop private public query return shared stable switch system throw try type var while"},
		{name: "circom", comment: slashes, block: true,
			keywords: "pragma template component signal input output var function return if else for while include public parallel custom log assert"},
		{name: "leo", comment: slashes, block: true, constants: "true false self",
			keywords: "program import function transition inline struct record mapping const let return if else for in assert async finalize public private constant",
			types:    "u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool address field group scalar"},
	}
}

func (d dialect) lexer() chroma.Lexer {
	inName := `\w`
	if d.name1 != "" {
		inName = `[\w` + regexp.QuoteMeta(d.name1) + `]`
	}
	rules := []chroma.Rule{
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: d.comment, Type: chroma.CommentSingle},
	}
	if d.block {
		rules = append(rules, chroma.Rule{Pattern: `/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`,
			Type: chroma.CommentMultiline})
	}
	if d.name == "func" {
		rules = append(rules, chroma.Rule{Pattern: `\{-[^-]*(?:-(?!\})[^-]*)*(?:-\}|\z)`,
			Type: chroma.CommentMultiline})
	}
	rules = append(rules,
		chroma.Rule{Pattern: `"""[^"]*(?:"(?!"")[^"]*)*(?:"""|\z)`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: `"(?:\\.|[^"\\\n])*"?[a-zA-Z]?|'(?:\\.|[^'\\\n])*'`, Type: chroma.LiteralString},
		chroma.Rule{Pattern: "`[^`\\n]*`", Type: chroma.Name},
		chroma.Rule{Pattern: `[@#]` + inName + `+`, Type: chroma.NameDecorator},
		chroma.Rule{Pattern: `(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)\w*`,
			Type: chroma.LiteralNumber})
	for _, list := range []struct {
		words string
		typ   chroma.TokenType
	}{{d.keywords, chroma.Keyword}, {d.types, chroma.KeywordType}, {d.constants, chroma.KeywordConstant}} {
		if list.words != "" {
			rules = append(rules, chroma.Rule{Pattern: words(list.words) + `(?!` + inName + `)`, Type: list.typ})
		}
	}
	rules = append(rules, chroma.Rule{Pattern: `[A-Za-z_~.]` + inName + `*(?=\s*(?:<[\w\s,]*>)?\()`,
		Type: chroma.NameFunction})
	if !d.anyCase {
		rules = append(rules, chroma.Rule{Pattern: `[A-Z]` + inName + `*`, Type: chroma.NameClass})
	}
	rules = append(rules,
		chroma.Rule{Pattern: `[A-Za-z_]` + inName + `*`, Type: chroma.Name},
		chroma.Rule{Pattern: `[-+*/%=<>!&|^~?:]+`, Type: chroma.Operator},
		chroma.Rule{Pattern: `.`, Type: chroma.Punctuation})
	return chroma.MustNewLexer(&chroma.Config{Name: d.name, Aliases: []string{d.name}, CaseInsensitive: d.anyCase},
		func() chroma.Rules { return chroma.Rules{"root": rules} })
}
