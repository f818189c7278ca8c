package tokenizer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the tokenizer's file in a model's folder.
const FileName = "tokenizer.json"

// file is what is read of tokenizer.json.
type file struct {
	Added []struct {
		ID         int    `json:"id"`
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		LStrip     bool   `json:"lstrip"`
		RStrip     bool   `json:"rstrip"`
	} `json:"added_tokens"`
	Normalizer   *step `json:"normalizer"`
	PreTokenizer *step `json:"pre_tokenizer"`
	Model        struct {
		Type         string           `json:"type"`
		Vocab        map[string]int32 `json:"vocab"`
		Merges       []merge          `json:"merges"`
		ByteFallback bool             `json:"byte_fallback"`
		IgnoreMerges bool             `json:"ignore_merges"`
		Prefix       string           `json:"continuing_subword_prefix"`
		Suffix       string           `json:"end_of_word_suffix"`
		Dropout      *float64         `json:"dropout"`
	} `json:"model"`
}

// step is a normaliser or a pre-tokenizer, or a list of them.
type step struct {
	Type           string `json:"type"`
	Normalizers    []step `json:"normalizers"`
	PreTokenizers  []step `json:"pretokenizers"`
	Behavior       string `json:"behavior"`
	Invert         bool   `json:"invert"`
	AddPrefixSpace bool   `json:"add_prefix_space"`
	UseRegex       *bool  `json:"use_regex"` // true where it is left out
	IndividualNums bool   `json:"individual_digits"`
	Pattern        struct {
		Regex  string `json:"Regex"`
		String string `json:"String"`
	} `json:"pattern"`
}

// merge is a pair of tokens. Older files have them in one string, with a space between.
type merge [2]string

func (m *merge) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[2]string)(m))
	}
	var both string
	if err := json.Unmarshal(b, &both); err != nil {
		return err
	}
	left, right, ok := strings.Cut(both, " ")
	if !ok {
		return fmt.Errorf("the merge %q is no pair", both)
	}
	*m = merge{left, right}
	return nil
}

// Open reads the tokenizer at a path, which is the file or the folder that it is in.
func Open(path string) (*Tokenizer, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Parse reads the content of a tokenizer.json.
func Parse(src []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(src, &f); err != nil {
		return nil, fmt.Errorf("this is no tokenizer.json: %w", err)
	}
	if err := f.refuse(); err != nil {
		return nil, fmt.Errorf("%w; lengths can be counted by the server instead", err)
	}
	return build(f)
}

// refuse names what this package would count wrongly.
func (f file) refuse() error {
	m := f.Model
	switch {
	case m.Type != "BPE":
		return fmt.Errorf("a tokenizer of type %q is not read here, only byte-level BPE", m.Type)
	case m.ByteFallback:
		return fmt.Errorf("a tokenizer with byte fallback (SentencePiece's kind) is not read here, only byte-level BPE")
	case m.Prefix != "" || m.Suffix != "":
		return fmt.Errorf("a tokenizer whose tokens have a prefix or suffix of their own (%q, %q) is not read here", m.Prefix, m.Suffix)
	case m.Dropout != nil && *m.Dropout > 0:
		return fmt.Errorf("a tokenizer with dropout has no certain count")
	}
	for _, a := range f.Added {
		if a.SingleWord || a.LStrip || a.RStrip {
			return fmt.Errorf("the added token %q takes blanks or word limits into account, which is not read here", a.Content)
		}
	}
	return nil
}
