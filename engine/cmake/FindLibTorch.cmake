# Imported targets for the LibTorch of the torch wheel, without find_package(Torch), which fails with CMake 3.25
# and nvcc 13. Looks in ORTHROS_LIBTORCH (a folder that holds torch/ and nvidia/ as pip lays them, or torch/
# itself), then in the user's cache, where app/run.sh and tests/run.sh put it.
#   LibTorch::headers  include folders   LibTorch::libs  libtorch_cpu, libc10, rpath   orthros_aten_pch
set(ORTHROS_LIBTORCH "$ENV{ORTHROS_LIBTORCH}" CACHE PATH "Folder with torch/ and nvidia/ from the wheels")
if(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(_cache "$ENV{HOME}/.cache")
endif()
find_path(LIBTORCH_ROOT NAMES lib/libtorch_cpu.so
          PATHS "${ORTHROS_LIBTORCH}/torch" "${ORTHROS_LIBTORCH}" "${_cache}/orthros/libtorch-2.11.0/torch"
          NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LibTorch REQUIRED_VARS LIBTORCH_ROOT
  REASON_FAILURE_MESSAGE "run app/run.sh, which fetches it, or set ORTHROS_LIBTORCH to the folder that holds torch/")

if(LibTorch_FOUND AND NOT TARGET LibTorch::headers)
  add_library(LibTorch::headers INTERFACE IMPORTED GLOBAL)
  # The wheel ships headers of its own fmt, but no library for them: ours must come first.
  get_target_property(_fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/system_include")
  file(CREATE_LINK "${_fmt_include}/fmt" "${CMAKE_BINARY_DIR}/system_include/fmt" SYMBOLIC)
  target_include_directories(LibTorch::headers SYSTEM INTERFACE "${CMAKE_BINARY_DIR}/system_include"
                                               "${LIBTORCH_ROOT}/include"
                                               "${LIBTORCH_ROOT}/include/torch/csrc/api/include")
  target_compile_definitions(LibTorch::headers INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
  add_library(LibTorch::libs INTERFACE IMPORTED GLOBAL)
  # torch's folder comes first in the rpath, so that our OpenMP code and torch share its libgomp.
  target_link_libraries(LibTorch::libs INTERFACE "${LIBTORCH_ROOT}/lib/libtorch_cpu.so" "${LIBTORCH_ROOT}/lib/libc10.so")
  target_link_options(LibTorch::libs INTERFACE "LINKER:-rpath,${LIBTORCH_ROOT}/lib" LINKER:--allow-shlib-undefined
                                               LINKER:--disable-new-dtags)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/aten_pch.cpp" CONTENT "")  # written only once: no rebuild
  add_library(orthros_aten_pch STATIC "${CMAKE_BINARY_DIR}/aten_pch.cpp")
  target_link_libraries(orthros_aten_pch PUBLIC orthros_options LibTorch::headers orthros_openmp fmt::fmt hwy::hwy)
  target_precompile_headers(orthros_aten_pch PRIVATE <ATen/ATen.h> <string> <vector> <memory> <fmt/format.h>)
endif()
