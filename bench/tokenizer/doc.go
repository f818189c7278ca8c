// Package tokenizer counts tokens by a model's tokenizer.json, the file that Hugging
// Face's tokenizers write beside the weights.
//
// It reads one kind: byte-level BPE, which Qwen, Llama 3 and 4, DeepSeek, GPT-2 and their
// descendants have. Everything else in such a file (SentencePiece's kind with byte
// fallback, WordPiece, unigrams, normalisers other than Unicode's) is refused by name: a
// count that is nearly right looks like one that is right.
//
// Two libraries were tried before this was written. One cannot compile the pattern of
// any model since GPT-4, since Go's regexp has no look-ahead; the other reads only
// SentencePiece's own format.
package tokenizer
