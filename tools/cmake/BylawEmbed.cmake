# SPDX-License-Identifier: Apache-2.0

# bl_embed(<target> FILES <path below the checkout>...): an object library that holds the files'
# bytes and defines the table of grammar/sema/embedded.h, ordered by path.
function(bl_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/grammar/sema/embedded.h")
    message(FATAL_ERROR "grammar/sema/embedded.h is missing.")
  endif()
  list(SORT arg_FILES COMPARE STRING)
  set(list_file "${PROJECT_BINARY_DIR}/gen/${target}.list")
  set(out "${PROJECT_BINARY_DIR}/gen/${target}.c")
  list(JOIN arg_FILES "\n" names)
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "@names@\n" @ONLY)
  list(TRANSFORM arg_FILES PREPEND "${PROJECT_SOURCE_DIR}/")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -D "ROOT=${PROJECT_SOURCE_DIR}" -D "LIST=${list_file}" -D
            "OUT=${out}" -P "${PROJECT_SOURCE_DIR}/tools/cmake/run_embed.cmake"
    DEPENDS ${arg_FILES} "${list_file}" "${PROJECT_SOURCE_DIR}/tools/cmake/run_embed.cmake"
    COMMENT "Definitions that come with the compiler"
    VERBATIM)
  add_library(${target} OBJECT "${out}")
  bl_common_setup(${target})
endfunction()
