# A room is a folder below src/ with one subject. It may include only include/radosload, itself and
# the rooms it DEPENDS on, and only the third-party headers it names in USES. The graph is written
# to rooms.json in the build folder; the test `structure` reads every #include and fails on an edge
# that is not in it.
#
#   radosload_room(NAME cluster DEPENDS base USES rados json LIBRARIES Rados::Rados)
#
# COMPUTES: tests compute in it for so long that ASan's preset optimizes it. With the sanitizers -O2 takes
# more than twice as long to compile as -Og, which only such a room wins back. And with -O2 GCC 12's check
# for null pointers fails on the thread's clock (base/tick_clock.h) in engine, so the rooms that read it
# are no candidates.
#
# USES takes the names in tests/structure/check_rooms.py. Sources are all of the room's *.cc: a
# room is its folder, so a list beside it could only go stale.

function(radosload_room)
  cmake_parse_arguments(ROOM "COMPUTES" "NAME" "DEPENDS;USES;LIBRARIES" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "radosload_room: unknown words ${ROOM_UNPARSED_ARGUMENTS}")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_NAME}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(NOT sources)
    message(FATAL_ERROR "radosload_room(${ROOM_NAME}): no sources; rooms appear as their code does")
  endif()
  set(target radosload_${ROOM_NAME})
  radosload_batches(sources ${PROJECT_SOURCE_DIR}/src ${target} ${sources})
  add_library(${target} STATIC ${sources})
  add_library(radosload::${ROOM_NAME} ALIAS ${target})
  target_link_libraries(${target} PUBLIC radosload_options tl::expected ${ROOM_LIBRARIES})
  if(ROOM_COMPUTES AND RADOSLOAD_SANITIZE MATCHES "address")
    target_compile_options(${target} PRIVATE -O2)
  endif()
  foreach(dependency IN LISTS ROOM_DEPENDS)
    if(NOT TARGET radosload_${dependency})
      message(FATAL_ERROR "room ${ROOM_NAME} depends on ${dependency}, which comes later or is not "
                          "a room: the graph is written in the order of its edges, so it has no cycle")
    endif()
    target_link_libraries(${target} PUBLIC radosload_${dependency})
  endforeach()

  list(JOIN ROOM_DEPENDS "\", \"" depends)
  list(JOIN ROOM_USES "\", \"" uses)
  string(CONCAT entry "  \"${ROOM_NAME}\": {\"depends\": [\"${depends}\"], "
                      "\"uses\": [\"${uses}\"]}")
  string(REPLACE "[\"\"]" "[]" entry "${entry}")
  set_property(GLOBAL APPEND PROPERTY RADOSLOAD_ROOMS "${entry}")
endfunction()

# Called once, after the last room.
function(radosload_write_rooms)
  get_property(rooms GLOBAL PROPERTY RADOSLOAD_ROOMS)
  list(JOIN rooms ",\n" body)
  file(WRITE ${PROJECT_BINARY_DIR}/rooms.json "{\n${body}\n}\n")
endfunction()
