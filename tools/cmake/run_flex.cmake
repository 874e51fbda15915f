# SPDX-License-Identifier: Apache-2.0
# cmake -D FLEX=... -D FILE=... -D OUT=<path without suffix> -P run_flex.cmake
execute_process(
  COMMAND "${FLEX}" --header-file=${OUT}.h --outfile=${OUT}.c "${FILE}"
  RESULT_VARIABLE status
  ERROR_VARIABLE words)
if(NOT status EQUAL 0 OR NOT words STREQUAL "")
  file(REMOVE "${OUT}.c" "${OUT}.h")
  message(FATAL_ERROR "${words}")
endif()
