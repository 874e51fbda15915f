# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` and CPack take: the commands (bl_tool installs them), the two libraries with
# their headers, and the files by which another CMake project finds them as bl::lang, bl::runtime.

include(CMakePackageConfigHelpers)

set(bl_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/bylaw")

set(bl_installed "")
foreach(lib bl_runtime bl_lang)
  if(TARGET ${lib})
    list(APPEND bl_installed ${lib})
  endif()
endforeach()

if(bl_installed)
  install(
    TARGETS ${bl_installed}
    EXPORT bylawTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(
    EXPORT bylawTargets
    NAMESPACE bl::
    DESTINATION "${bl_package_folder}"
    COMPONENT development)
  foreach(folder runtime grammar)
    install(
      DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
      DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bylaw"
      COMPONENT development
      FILES_MATCHING
      PATTERN "*.h"
      PATTERN "*.def"
      PATTERN "github" EXCLUDE)
  endforeach()
  configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/tools/cmake/bylawConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/bylawConfig.cmake" INSTALL_DESTINATION "${bl_package_folder}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/bylawConfigVersion.cmake"
                                   COMPATIBILITY SameMinorVersion)
  install(
    FILES "${PROJECT_BINARY_DIR}/bylawConfig.cmake"
          "${PROJECT_BINARY_DIR}/bylawConfigVersion.cmake"
          # The static libraries name cmark-gfm, so whoever links them must find it the same way.
          "${PROJECT_SOURCE_DIR}/tools/cmake/FindCmarkGfm.cmake"
    DESTINATION "${bl_package_folder}"
    COMPONENT development)
endif()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(CPACK_PACKAGE_VENDOR "The Bylaw authors")
set(CPACK_PACKAGE_CONTACT "The Bylaw authors <bylaw@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME
    "bylaw-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened when the first request is made, so no tool sees it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libcurl4)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
