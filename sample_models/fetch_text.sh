#!/usr/bin/env bash
# Public-domain English for conversion training: the Jargon File and the King James Bible from the Psalms on, both from
# Debian packages. The passage that likelihoods are measured on (end of Genesis, Exodus 1-2) is not in it.
#   sample_models/fetch_text.sh FILE
set -euo pipefail
target=$(realpath -m "${1:?a file to write}")
# shellcheck source=engine/cmake/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../engine/cmake/setup.sh"
orthros_install_packages bible-kjv bible-kjv-text jargon-text
{
  zcat /usr/share/doc/jargon-text/jargon.txt.gz
  # One verse a line, its number left out.
  bible -f 'Ps1:1-Rev22:21' </dev/null | sed -E 's/^[0-9A-Za-z]+:[0-9]+ //'
} >"$target.part"
mv "$target.part" "$target"
