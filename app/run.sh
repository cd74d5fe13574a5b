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

orthros_install_packages "${orthros_studio_packages[@]}"
orthros_provide_libtorch
model=$(bash sample_models/fetch_smollm2.sh)

orthros_configure release
targets=(orthros)
if [[ -e app/studio/CMakeLists.txt ]]; then targets+=(orthros-studio); fi
cmake --build --preset release --parallel "$(nproc)" --target "${targets[@]}" >&2

studio=build/release/bin/orthros-studio
if [[ $headless == no && -z ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  orthros_say "no display: doing the main job on the command line"
  headless=yes
elif [[ $headless == no && ! -x $studio ]]; then
  orthros_say "the Studio (the desktop program) does not exist yet: doing the main job on the command line"
  headless=yes
fi
if [[ $headless == no ]]; then exec "$studio" "$model"; fi
exec bash app/main_job.sh "$model"
