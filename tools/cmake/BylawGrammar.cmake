# SPDX-License-Identifier: Apache-2.0
#
# Flex and Bison with every warning fatal. What they write lies in <build>/gen/<room>/, is included
# as "<room>/<name>.h" and is never committed.

find_package(BISON 3.8 QUIET)
find_package(FLEX 2.6.4 QUIET)

# The files are ours to generate and not ours to style: yy_fatal_error is unused in the scanner, and
# neither tool asks before it calls malloc.
function(bl_generated_options)
  set_property(
    SOURCE ${ARGV}
    APPEND
    PROPERTY COMPILE_OPTIONS -Wno-unused-function -Wno-missing-variable-declarations -fno-lto)
endfunction()

function(bl_generated_folder out)
  file(RELATIVE_PATH room "${PROJECT_SOURCE_DIR}/grammar" "${CMAKE_CURRENT_SOURCE_DIR}")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/gen/${room}")
  set(${out} "${PROJECT_BINARY_DIR}/gen/${room}" PARENT_SCOPE)
endfunction()

# bl_bison(<out> <file.y> <name>): writes gen/<room>/<name>.c and .h; <out> becomes the path of the
# .c, to be given to bl_room(GENERATED). The report with all states lies beside it.
function(bl_bison out file name)
  if(NOT BISON_FOUND)
    message(FATAL_ERROR "Bison 3.8 is missing (apt-get install bison).")
  endif()
  bl_generated_folder(gen)
  add_custom_command(
    OUTPUT "${gen}/${name}.c" "${gen}/${name}.h"
    BYPRODUCTS "${gen}/${name}.output"
    COMMAND
      "${BISON_EXECUTABLE}" -Wall -Werror -Wcounterexamples --report=itemsets,lookaheads
      "--report-file=${gen}/${name}.output" "--header=${gen}/${name}.h"
      "--file-prefix-map=${PROJECT_SOURCE_DIR}/=" -o "${gen}/${name}.c"
      "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
    WORKING_DIRECTORY "${gen}"
    COMMENT "Parser of ${file}"
    VERBATIM)
  bl_generated_options("${gen}/${name}.c")
  set(${out} "${gen}/${name}.c" PARENT_SCOPE)
endfunction()

# bl_flex(<out> <file.l> <name>): the same for a scanner. Flex has no switch that makes its warnings
# fatal, so any word on its standard error is.
function(bl_flex out file name)
  if(NOT FLEX_FOUND)
    message(FATAL_ERROR "Flex 2.6.4 is missing (apt-get install flex).")
  endif()
  bl_generated_folder(gen)
  add_custom_command(
    OUTPUT "${gen}/${name}.c" "${gen}/${name}.h"
    COMMAND
      "${CMAKE_COMMAND}" -D "FLEX=${FLEX_EXECUTABLE}" -D
      "FILE=${CMAKE_CURRENT_SOURCE_DIR}/${file}" -D "OUT=${gen}/${name}" -P
      "${PROJECT_SOURCE_DIR}/tools/cmake/run_flex.cmake"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
            "${PROJECT_SOURCE_DIR}/tools/cmake/run_flex.cmake"
    COMMENT "Scanner of ${file}"
    VERBATIM)
  bl_generated_options("${gen}/${name}.c")
  set(${out} "${gen}/${name}.c" PARENT_SCOPE)
endfunction()
