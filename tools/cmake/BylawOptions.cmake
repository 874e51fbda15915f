# SPDX-License-Identifier: Apache-2.0
#
# How everything is compiled: the interface target bl_options, and the switches behind it. Warnings
# become errors through CMAKE_COMPILE_WARNING_AS_ERROR, which only the presets set, so that a
# distributor with a newer compiler is not stopped.

set(BL_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them (address,undefined)")
option(BL_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
option(BL_COVERAGE "Instrument for line coverage (gcc)" OFF)
option(BL_HARDEN "Hardening flags" ON)
option(BL_LTO "Link-time optimisation (gcc)" OFF)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

if(NOT CMAKE_C_COMPILER_LAUNCHER)
  find_program(BL_CCACHE ccache)
  mark_as_advanced(BL_CCACHE)
  if(BL_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER "${BL_CCACHE}")
  endif()
endif()

add_library(bl_options INTERFACE)

target_compile_definitions(bl_options INTERFACE _POSIX_C_SOURCE=200809L)

target_compile_options(
  bl_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wstrict-prototypes
            -Wmissing-prototypes
            -Wundef
            -Wcast-qual
            -Wwrite-strings
            -Wvla
            -Wformat=2
            -Wimplicit-fallthrough
            -Wswitch-enum
            -Wdouble-promotion
            -Wpointer-arith
            $<$<C_COMPILER_ID:GNU>:-Wduplicated-cond>
            $<$<C_COMPILER_ID:GNU>:-Wlogical-op>
            $<$<C_COMPILER_ID:GNU>:-Wjump-misses-init>
            $<$<C_COMPILER_ID:Clang>:-Wcomma>
            $<$<C_COMPILER_ID:Clang>:-Wmissing-variable-declarations>
            # Where the checkout lies is not part of what is built.
            -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
            -fno-common)

# No assumption from types or overflow is worth a policy that decides differently when optimised.
# The sanitizer finds signed overflow only while it stays undefined.
target_compile_options(bl_options INTERFACE -fno-strict-aliasing)
if(BL_SANITIZE)
  target_compile_options(
    bl_options INTERFACE -fsanitize=${BL_SANITIZE} -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(bl_options INTERFACE -fsanitize=${BL_SANITIZE})
else()
  target_compile_options(bl_options INTERFACE -fno-strict-overflow)
endif()

if(BL_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "BL_FUZZ needs clang; use the preset 'fuzz'.")
  endif()
  target_compile_options(bl_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(BL_COVERAGE)
  target_compile_options(bl_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(bl_options INTERFACE --coverage)
endif()

if(BL_HARDEN)
  # clang 14 takes zero only with a second switch whose name says that it may go; both compilers
  # take the pattern, which finds more in tests.
  target_compile_options(
    bl_options
    INTERFACE -fstack-protector-strong
              -fstack-clash-protection
              $<$<CONFIG:Debug>:-ftrivial-auto-var-init=pattern>
              $<$<AND:$<NOT:$<CONFIG:Debug>>,$<C_COMPILER_ID:GNU>>:-ftrivial-auto-var-init=zero>
              $<$<AND:$<NOT:$<CONFIG:Debug>>,$<C_COMPILER_ID:Clang>>:-ftrivial-auto-var-init=pattern>)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
    target_compile_options(bl_options INTERFACE -fcf-protection)
  endif()
  if(NOT BL_SANITIZE)
    # The level 3 needs optimisation and a recent C library; below that it only warns.
    target_compile_options(
      bl_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                           $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
  endif()
  target_link_options(bl_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

# Sections that nobody calls go, and libraries that nobody needs are not loaded at the start.
target_compile_options(bl_options INTERFACE -ffunction-sections -fdata-sections)
target_link_options(bl_options INTERFACE -Wl,--gc-sections -Wl,--as-needed -Wl,-O1)

# Fat objects: the static libraries that are installed stay usable with any compiler. CMake's own
# switch would make slim ones.
if(BL_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bl_options INTERFACE -flto=auto -ffat-lto-objects)
  target_link_options(bl_options INTERFACE -flto=auto -fuse-linker-plugin)
endif()
