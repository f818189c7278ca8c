package machine

import "regexp"

// secretName finds the words in the names of variables whose values are nobody's business.
// TOKENIZERS_PARALLELISM and MAX_NUM_TOKENS have none of them.
var secretName = regexp.MustCompile(`(?i)(TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)`)

// Secret reports whether the value of a variable is nobody's business, by its name alone. It
// is kept off command lines and out of records.
func Secret(variable string) bool { return secretName.MatchString(variable) }
