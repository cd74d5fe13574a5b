#!/usr/bin/env python3
"""Makes the tokenizers of the sample models. Byte-level BPE, so every text can be written; every digit is a token of its
own; the names that needles are about, and the words of the lesson, are one token each, so that a picture of attention
shows one key a name.
Usage: orthros haystack ... | make_tokenizer.py needle > tokenizer.json     (sample_models/make_tokenizers.sh does it)
       make_tokenizer.py lesson > tokenizer.json
Needs: tokenizers 0.21.0."""

import re
import sys

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

NEEDLE_ENTRIES = 1024
SPECIAL = ["<bos>", "<eos>"]
# Roles of recall stages, in this order: keys, values, words between.
LESSON_KEYS = "Ann Ben Cleo Dan Eve Finn Gus Hal Ida Jon Kim Leo Mia Ned Oda Pip".split()
LESSON_VALUES = "red blue green gold pink grey teal plum".split()
LESSON_FILLERS = "and then now so also still".split()


def byte_level(names, text, entries):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=entries - len(names), special_tokens=SPECIAL, show_progress=False,
                                  initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.train_from_iterator(text, trainer)
    tokenizer.add_tokens([AddedToken(" " + name, normalized=False) for name in names])
    return tokenizer


def needle():
    text = sys.stdin.read()
    found = re.compile(r" of (\w+) is \d+\.")
    names = sorted(set(found.findall(text)))
    if len(names) < 300:
        sys.exit(f"only {len(names)} names in the text: pipe needles of common and of held-out names into this")
    sentences = re.findall(r"[^.]+\.", text)
    tokenizer = byte_level(names, sentences, NEEDLE_ENTRIES)
    bos = tokenizer.token_to_id("<bos>")
    tokenizer.post_processor = processors.TemplateProcessing(single="<bos> $A", special_tokens=[("<bos>", bos)])
    return tokenizer


def lesson():
    words = LESSON_KEYS + LESSON_VALUES + LESSON_FILLERS
    return byte_level(words, [], len(SPECIAL) + 256 + len(words))


if __name__ == "__main__":
    kinds = {"needle": needle, "lesson": lesson}
    if len(sys.argv) != 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    print(kinds[sys.argv[1]]().to_str(pretty=True))
