# SPDX-License-Identifier: Apache-2.0
#
# A room is one folder of runtime/ or grammar/ and one object library. Its name is the folder's path
# below runtime/ or grammar/; its target is bl_<name> with '/' as '_': runtime/world/sim is the room
# world/sim and the target bl_world_sim.

# bl_add_room(<runtime|grammar> <room>): goes into the folder when it has a CMakeLists.txt.
function(bl_add_room folder room)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/${room}/CMakeLists.txt")
    add_subdirectory(${folder}/${room})
  endif()
endfunction()

# What every target of ours sees.
function(bl_common_setup target)
  target_link_libraries(${target} PRIVATE bl_options)
  target_include_directories(
    ${target} PRIVATE "${PROJECT_SOURCE_DIR}/runtime" "${PROJECT_SOURCE_DIR}/grammar"
                      "${PROJECT_BINARY_DIR}/gen")
endfunction()

# bl_room(<room>
#         SOURCES <file.c>...
#         [GENERATED <file.c>...]   from bl_bison and bl_flex; free of base/banned.h
#         [DEPENDS <room>...]       rooms whose headers it includes
#         [LIBS <target>...])       what only this room may use: cjson, CmarkGfm::extensions
#
# A room of headers alone has no SOURCES. base/banned.h is included in front of each source; a file
# that may use a banned group is named with bl_allow.
function(bl_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;GENERATED;DEPENDS;LIBS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bl_room(${room}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  string(REPLACE "/" "_" name "${room}")
  set(target bl_${name})
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" folder "${folder}")

  if(NOT arg_SOURCES AND NOT arg_GENERATED)
    add_library(${target} INTERFACE)
    return()
  endif()

  add_library(${target} OBJECT ${arg_SOURCES} ${arg_GENERATED})
  bl_common_setup(${target})
  if(arg_SOURCES)
    set_property(
      SOURCE ${arg_SOURCES}
      APPEND
      PROPERTY COMPILE_OPTIONS -include base/banned.h)
  endif()
  foreach(lower IN LISTS arg_DEPENDS)
    string(REPLACE "/" "_" lower "${lower}")
    if(TARGET bl_${lower})
      add_dependencies(${target} bl_${lower})
    endif()
  endforeach()
  if(arg_LIBS)
    target_link_libraries(${target} PRIVATE ${arg_LIBS})
  endif()
  set_property(GLOBAL APPEND PROPERTY BL_ROOMS_${folder} "${room}")
  set_property(GLOBAL PROPERTY BL_ROOM_LIBS_${target} "${arg_LIBS}")
endfunction()

# bl_allow(<file.c> <group>...): the file may use a group of base/banned.h: MEMORY, JUMP, CLOCK,
# ENVIRONMENT, OUTPUT, EXIT. Stands in the room's CMakeLists.txt with the reason beside it.
function(bl_allow file)
  foreach(group IN LISTS ARGN)
    set_property(
      SOURCE ${file}
      APPEND
      PROPERTY COMPILE_DEFINITIONS BL_ALLOW_${group})
  endforeach()
endfunction()

# bl_assemble(<target> ALIAS <alias> FOLDER <runtime|grammar> [EXCEPT <room>...]
#             [OBJECTS <object library>...] [LIBS <target>...])
# One static library of all rooms of a folder.
function(bl_assemble target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ALIAS;FOLDER" "EXCEPT;OBJECTS;LIBS")
  get_property(rooms GLOBAL PROPERTY BL_ROOMS_${arg_FOLDER})
  list(REMOVE_ITEM rooms ${arg_EXCEPT} "")
  set(objects ${arg_OBJECTS})
  set(libs "")
  foreach(room IN LISTS rooms)
    string(REPLACE "/" "_" name "${room}")
    list(APPEND objects bl_${name})
    get_property(room_libs GLOBAL PROPERTY BL_ROOM_LIBS_bl_${name})
    list(APPEND libs ${room_libs})
  endforeach()
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  if(NOT objects)
    return() # nothing there yet
  endif()
  add_library(${target} STATIC ${objects})
  add_library(${arg_ALIAS} ALIAS ${target})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  string(REGEX REPLACE "^.*::" "" export "${arg_ALIAS}")
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export})
  target_include_directories(
    ${target}
    PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime>"
           "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/grammar>"
           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/bylaw>")
  list(REMOVE_DUPLICATES libs)
  target_link_libraries(${target} PUBLIC ${arg_LIBS})
  target_link_libraries(${target} PRIVATE ${libs})
endfunction()

# bl_tool(<name> SOURCES <file.c>... [LIBS <target>...]): a command. It gets bl::lang and
# bl::runtime; what a tool may do (print, exit, read files) no library may.
function(bl_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  foreach(lib bl_lang bl_runtime ${arg_LIBS})
    if(lib MATCHES "^bl" AND NOT TARGET ${lib})
      message(STATUS "${name} is left out: ${lib} has no sources yet.")
      return()
    endif()
  endforeach()
  add_executable(${name} ${arg_SOURCES})
  bl_common_setup(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tools")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} bl_lang bl_runtime)
  target_compile_definitions(${name} PRIVATE BL_VERSION="${PROJECT_VERSION}")
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
