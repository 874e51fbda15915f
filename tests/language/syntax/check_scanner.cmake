# SPDX-License-Identifier: Apache-2.0
# cmake -D FLEX=... -D FILE=<policy.l> -D FOLDER=<to work in> -P check_scanner.cmake
#
# Flex lists the states that back up only for tables that are not compressed.
execute_process(
  COMMAND "${FLEX}" -b -Cf --outfile=scanner_check.c "${FILE}"
  WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "flex failed: ${status}")
endif()
file(READ "${FOLDER}/lex.backup" words)
if(NOT words MATCHES "^No backing up")
  message(FATAL_ERROR "States that back up:\n${words}")
endif()
