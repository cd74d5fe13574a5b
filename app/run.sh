#!/usr/bin/env bash
# Installs what is missing, builds, gets the sample model, and opens the Studio. Without a display or with
# --headless: the main job on the command line (app/main_job.sh). Enough on a fresh Debian 12 machine with a network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=engine/cmake/setup.sh
source engine/cmake/setup.sh

headless=no
case ${1:-} in
  '') ;;
  --headless) headless=yes ;;
  *) printf 'usage: app/run.sh [--headless]\n' >&2; exit 2 ;;
esac

if [[ $headless == no && -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  orthros_say "no display: doing the main job on the command line"
  headless=yes
fi

if [[ $headless == no ]]; then
  orthros_install_packages "${orthros_studio_packages[@]}"
else
  # shellcheck disable=SC2119
  orthros_install_packages
fi
orthros_provide_libtorch
model=$(bash sample_models/fetch_smollm2.sh)

orthros_configure release
targets=(orthros)
if [[ $headless == no ]]; then targets+=(orthros-studio); fi
cmake --build --preset release --parallel "$(nproc)" --target "${targets[@]}" >&2

studio=build/release/bin/orthros-studio
if [[ $headless == no ]]; then exec "$studio"; fi  # with the model it had last, or the sample just fetched
exec bash app/main_job.sh "$model"
