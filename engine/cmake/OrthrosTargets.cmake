# Compiler settings shared by every target, and the functions that declare a library or a test folder.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The precompiled ATen header needs the first two settings, else every file that uses it misses the cache; the
  # last two let one clone profit from another.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_PCH_EXTSUM=1 CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

find_package(fmt REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
# By flag, not by the path of the compiler's own libgomp: programs that use torch must load torch's copy, which their
# rpath names first, and CMake would warn of the two.
add_library(orthros_openmp INTERFACE)
separate_arguments(_openmp_flags UNIX_COMMAND "${OpenMP_CXX_FLAGS}")
target_compile_options(orthros_openmp INTERFACE ${_openmp_flags})
target_link_options(orthros_openmp INTERFACE ${_openmp_flags})

add_library(orthros_options INTERFACE)
target_include_directories(orthros_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(orthros_options INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports false positives of these inside the standard library at -O3.
  target_compile_options(orthros_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                                   -Wno-maybe-uninitialized)
endif()
if(ORTHROS_SANITIZE)
  target_compile_options(orthros_options INTERFACE -fsanitize=${ORTHROS_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(orthros_options INTERFACE -fsanitize=${ORTHROS_SANITIZE})
endif()
if(ORTHROS_FUZZ)
  # Coverage for the fuzzer in every library; only the fuzz targets link libFuzzer's main.
  target_compile_options(orthros_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# orthros_library(NAME [TORCH] [DEPENDS libs...]): one static library from all sources of the current folder.
function(orthros_library name)
  cmake_parse_arguments(ARG "TORCH" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC orthros_options ${ARG_DEPENDS})
  if(ARG_TORCH)
    # The headers of these libraries stay free of torch, so that the programs on top build without it.
    target_link_libraries(${name} PRIVATE LibTorch::headers)
    target_link_libraries(${name} INTERFACE LibTorch::libs)
    target_precompile_headers(${name} REUSE_FROM orthros_aten_pch)
  endif()
endfunction()

# orthros_test_folder(FOLDER LIBS...): tests/engine/FOLDER/*_test.cpp become test_FOLDER; *_slow_test.cpp become
# test_FOLDER_slow with the label "slow".
function(orthros_test_folder folder)
  cmake_parse_arguments(ARG "TORCH" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE all CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp")
  set(slow ${all})
  list(FILTER slow INCLUDE REGEX "_slow_test\\.cpp$")
  set(fast ${all})
  list(FILTER fast EXCLUDE REGEX "_slow_test\\.cpp$")
  get_filename_component(base "${folder}" NAME)
  if(fast)
    orthros_add_test(test_${base} "fast" "${fast}" "${ARG_TORCH}" "${ARG_DEPENDS}")
  endif()
  if(slow)
    orthros_add_test(test_${base}_slow "slow" "${slow}" "${ARG_TORCH}" "${ARG_DEPENDS}")
  endif()
endfunction()

function(orthros_add_test name label sources torch depends)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE orthros_options ${depends} GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ORTHROS_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures"
                                             ORTHROS_SOURCE="${CMAKE_SOURCE_DIR}")
  if(torch)
    target_link_libraries(${name} PRIVATE LibTorch::headers)
    target_precompile_headers(${name} REUSE_FROM orthros_aten_pch)
  endif()
  # One ctest entry an executable: starting a torch program once per test case would cost more than the tests.
  add_test(NAME ${name} COMMAND ${name})
  # Tests ask for more memory than there is and want to be told so; the sanitizer would end the program instead.
  set_tests_properties(${name} PROPERTIES LABELS "${label}" ENVIRONMENT "ASAN_OPTIONS=allocator_may_return_null=1")
endfunction()

# orthros_qt_target(NAME): a target with Qt's meta objects. Text is never converted behind the reader's back, and Qt's
# lower-case keywords stay out: other headers have members called slots and signals.
function(orthros_qt_target name)
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_compile_definitions(${name} PUBLIC QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH
                                            QT_NO_URL_CAST_FROM_STRING QT_USE_QSTRINGBUILDER)
endfunction()

# orthros_qt_test(NAME LIBS...): all *_test.cpp of the current folder in one program, run without a display.
function(orthros_qt_test name)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  add_executable(${name} ${sources} "${CMAKE_SOURCE_DIR}/tests/support/qt_test_main.cpp")
  orthros_qt_target(${name})
  target_link_libraries(${name} PRIVATE ${ARGN} Qt6::Test)
  target_compile_definitions(${name} PRIVATE ORTHROS_FIXTURES="${CMAKE_SOURCE_DIR}/tests/fixtures"
                                             ORTHROS_SOURCE="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS fast ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
