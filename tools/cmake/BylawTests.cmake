# SPDX-License-Identifier: Apache-2.0

if(BUILD_TESTING)
  find_package(cmocka QUIET)
  # Debian's cmocka-config.cmake sets variables and makes no target.
  if(cmocka_FOUND AND NOT TARGET cmocka::cmocka)
    add_library(cmocka::cmocka INTERFACE IMPORTED)
    target_link_libraries(cmocka::cmocka INTERFACE ${CMOCKA_LIBRARIES})
    target_include_directories(cmocka::cmocka INTERFACE ${CMOCKA_INCLUDE_DIR})
  endif()
endif()

# CMocka catches SIGSEGV and would hide the sanitizer's report.
set(BL_TEST_ENVIRONMENT
    "ASAN_OPTIONS=allow_user_segv_handler=0:detect_stack_use_after_return=1"
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1" "LC_ALL=C.UTF-8" "TZ=UTC")

# Seconds after which a test hangs. With sanitizers everything takes about ten times as long.
set(bl_patience 120)
if(BL_SANITIZE)
  set(bl_patience 900)
endif()

# bl_unit_test(<name> SOURCES <file.c>... LIBS <target>...)
#
# A CMocka program <name> in tests/unit and the test unit.<name>. LIBS are room targets (bl_base,
# bl_spec: their objects, so the test does not wait for rooms above) or bl::runtime, bl::lang. A
# test whose room has no sources yet is left out. tests/support is linked.
function(bl_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bl_unit_test(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT TARGET cmocka::cmocka)
    message(FATAL_ERROR "CMocka is missing (apt-get install libcmocka-dev).")
  endif()
  foreach(lib IN LISTS arg_LIBS)
    if(lib MATCHES "^bl(_|::)" AND NOT TARGET ${lib})
      message(STATUS "unit.${name} is left out: ${lib} has no sources yet.")
      return()
    endif()
  endforeach()
  add_executable(unit_${name} ${arg_SOURCES})
  bl_common_setup(unit_${name})
  target_include_directories(unit_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(unit_${name} PRIVATE BL_CHECKOUT="${PROJECT_SOURCE_DIR}")
  target_link_libraries(unit_${name} PRIVATE bl_test_support ${arg_LIBS} cmocka::cmocka)
  add_test(NAME unit.${name} COMMAND unit_${name})
  set_tests_properties(unit.${name} PROPERTIES ENVIRONMENT "${BL_TEST_ENVIRONMENT}" TIMEOUT
                                                                               ${bl_patience})
endfunction()

# bl_test(<name> COMMAND <command>... [TIMEOUT <seconds>] [RESOURCE <lock>]): any other test, run at
# the top of the checkout.
function(bl_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;RESOURCE" "COMMAND")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${bl_patience})
  endif()
  add_test(
    NAME ${name}
    COMMAND ${arg_COMMAND}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${BL_TEST_ENVIRONMENT}" TIMEOUT
                                                                               ${arg_TIMEOUT})
  if(arg_RESOURCE)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ${arg_RESOURCE})
  endif()
endfunction()

# bl_script_test(<name> <word>... [PACKAGES <folder>] [TIMEOUT <seconds>] [RESOURCE <lock>]): node with
# these words. Without node, or the packages of the folder, it is reported as skipped.
function(bl_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;RESOURCE;PACKAGES" "")
  if(arg_PACKAGES)
    list(PREPEND arg_UNPARSED_ARGUMENTS --packages ${arg_PACKAGES})
  endif()
  bl_test(${name} COMMAND sh tests/support/with-node ${arg_UNPARSED_ARGUMENTS}
          TIMEOUT ${arg_TIMEOUT} RESOURCE ${arg_RESOURCE})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# bl_fuzz_target(<name> SOURCES <file.c>... LIBS <target>...)
#
# <file.c> defines LLVMFuzzerTestOneInput. With BL_FUZZ the program fuzz_<name> is a libFuzzer;
# without, it replays files. Either way the test fuzz.<name> runs it over the folder corpus/ beside
# the CMakeLists.txt that calls this.
function(bl_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  foreach(lib IN LISTS arg_LIBS)
    if(lib MATCHES "^bl(_|::)" AND NOT TARGET ${lib})
      message(STATUS "fuzz.${name} is left out: ${lib} has no sources yet.")
      return()
    endif()
  endforeach()
  add_executable(fuzz_${name} ${arg_SOURCES})
  bl_common_setup(fuzz_${name})
  target_include_directories(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz")
  target_link_libraries(fuzz_${name} PRIVATE ${arg_LIBS})
  if(BL_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set(runs -runs=0)
  else()
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz/replay_main.c")
    set(runs "")
  endif()
  if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/corpus")
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${runs} "${CMAKE_CURRENT_SOURCE_DIR}/corpus")
    set_tests_properties(fuzz.${name} PROPERTIES ENVIRONMENT "${BL_TEST_ENVIRONMENT}" TIMEOUT 300)
  endif()
endfunction()
