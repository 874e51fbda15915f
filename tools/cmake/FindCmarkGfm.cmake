# SPDX-License-Identifier: Apache-2.0
#
# cmark-gfm and its extensions: CmarkGfm::cmark, CmarkGfm::extensions (which brings the first).
# The static libraries are taken when they are there: the shared ones carry the whole version in
# their SONAME, so a program linked to them runs on one release of a distribution alone, and
# loading them costs each start of a process. CmarkGfm_SHARED asks for the shared ones.

find_path(CmarkGfm_INCLUDE_DIR cmark-gfm.h)
if(CmarkGfm_SHARED)
  find_library(CmarkGfm_LIBRARY cmark-gfm)
  find_library(CmarkGfm_EXTENSIONS_LIBRARY cmark-gfm-extensions)
else()
  find_library(CmarkGfm_LIBRARY NAMES libcmark-gfm.a cmark-gfm)
  find_library(CmarkGfm_EXTENSIONS_LIBRARY NAMES libcmark-gfm-extensions.a cmark-gfm-extensions)
endif()
mark_as_advanced(CmarkGfm_INCLUDE_DIR CmarkGfm_LIBRARY CmarkGfm_EXTENSIONS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CmarkGfm REQUIRED_VARS CmarkGfm_LIBRARY
                                                         CmarkGfm_EXTENSIONS_LIBRARY
                                                         CmarkGfm_INCLUDE_DIR)

if(CmarkGfm_FOUND AND NOT TARGET CmarkGfm::cmark)
  add_library(CmarkGfm::cmark UNKNOWN IMPORTED)
  set_target_properties(
    CmarkGfm::cmark PROPERTIES IMPORTED_LOCATION "${CmarkGfm_LIBRARY}"
                               INTERFACE_INCLUDE_DIRECTORIES "${CmarkGfm_INCLUDE_DIR}")
  add_library(CmarkGfm::extensions UNKNOWN IMPORTED)
  set_target_properties(
    CmarkGfm::extensions
    PROPERTIES IMPORTED_LOCATION "${CmarkGfm_EXTENSIONS_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${CmarkGfm_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES CmarkGfm::cmark)
endif()
