# How tests are declared: C++ programs, Python files, and the labs that the cluster tests run on.
# Order within one ctest run: unit, cli, then the tests on labs beside the tests of the lab.

set(RADOSLOAD_PYTHON /usr/bin/python3)  # not one that a version manager put first in PATH

# Sanitizers: what they overlook, and why, stands in the files named here. tools/dev exports the
# same for programs run by hand. What the environment says comes last, so it counts.
set(sanitizer_folder ${CMAKE_CURRENT_SOURCE_DIR}/sanitizers)
set(radosload_test_environment
  ASAN_OPTIONS=string_prepend:detect_leaks=1:strict_string_checks=1:handle_sigill=1:malloc_context_size=8:quarantine_size_mb=64:
  LSAN_OPTIONS=string_prepend:suppressions=${sanitizer_folder}/lsan.supp:print_suppressions=0:
  UBSAN_OPTIONS=string_prepend:print_stacktrace=1:suppressions=${sanitizer_folder}/ubsan.supp:
  TSAN_OPTIONS=string_prepend:second_deadlock_stack=1:suppressions=${sanitizer_folder}/tsan.supp:)

# What a test counts for when ctest runs several at once (--parallel N: N in all). A test on a lab waits
# most of the time, and one of a unit computes.
set(RADOSLOAD_COMPUTES 2)

# radosload_test(NAME unit_base LABEL unit SOURCES unit/units_test.cc ROOMS base [SECONDS 300]
#   [TSAN FILTER] [COMPUTES])
# One program of GoogleTests. Unit programs are one ctest each; cluster and cli programs are taken
# apart, so that every case has a time limit and a line of its own. TSAN: the program belongs to
# the subset that is also built under ThreadSanitizer (target tsan_tests, label tsan), where only
# the cases of the filter run: one thread has no races. COMPUTES: what its cases compute takes longer than
# to optimize them. All others are compiled without: a fifth to a quarter less time under the sanitizers.
# LABEL lab: not a ctest, because a test of the lab runs it, on a lab that has what it needs.
function(radosload_test)
  cmake_parse_arguments(TEST "COMPUTES" "NAME;LABEL;SECONDS;TSAN" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  if(NOT TEST_SECONDS)
    set(TEST_SECONDS 300)
  endif()
  set(sources "")
  foreach(source IN LISTS TEST_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    list(APPEND sources ${source})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY RADOSLOAD_TEST_SOURCES ${sources})
  radosload_batches(sources ${CMAKE_CURRENT_SOURCE_DIR} ${TEST_NAME} ${sources})
  add_executable(${TEST_NAME} ${sources})
  list(TRANSFORM TEST_ROOMS PREPEND radosload_)
  target_link_libraries(${TEST_NAME} PRIVATE radosload_test_support ${TEST_ROOMS} ${TEST_LIBRARIES}
    GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  radosload_tool(${TEST_NAME})
  if(NOT TEST_COMPUTES)
    target_compile_options(${TEST_NAME} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
  if(RADOSLOAD_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A sixth less to compute: ASan's runtime finds the variables of its threads without a call. The
    # program itself has the shared one, because tests replace functions that a static one takes over.
    target_link_options(${TEST_NAME} PRIVATE -static-libasan)
  endif()

  set(labels ${TEST_LABEL})
  if(TEST_TSAN)
    list(APPEND labels tsan)
    set_property(GLOBAL APPEND PROPERTY RADOSLOAD_TSAN_TESTS ${TEST_NAME})
  endif()
  if(TEST_LABEL STREQUAL "unit")
    set(filter "")
    if(RADOSLOAD_SANITIZE STREQUAL "thread")
      set(filter "--gtest_filter=${TEST_TSAN}")
    endif()
    add_test(NAME ${TEST_NAME} COMMAND ${TEST_NAME} ${filter})
    set_tests_properties(${TEST_NAME} PROPERTIES LABELS "${labels}" TIMEOUT ${TEST_SECONDS}
      PROCESSORS ${RADOSLOAD_COMPUTES} ENVIRONMENT_MODIFICATION "${radosload_test_environment}")
    set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_TESTS ${TEST_NAME})
    set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_PROGRAMS ${TEST_NAME})
  elseif(NOT TEST_LABEL STREQUAL "lab")
    radosload_discover_cases(${TEST_NAME} ${TEST_LABEL} "${labels}" ${TEST_SECONDS})
  endif()
endfunction()

# Every case of the program becomes a test. gtest_discover_tests cannot hand on properties that
# are lists, so a script that ctest reads after it sets them.
function(radosload_discover_cases name label labels seconds)
  gtest_discover_tests(${name} TEST_PREFIX ${name}. TEST_LIST ${name}_cases DISCOVERY_TIMEOUT 60)
  set(more "")
  if(label STREQUAL "cluster")
    # tests/tiers.txt tells which of them may share a lab. Without --resource-spec-file ctest hands out
    # none, and each program takes one that is free (support/labs.h).
    set(more "FIXTURES_REQUIRED labs")
  endif()
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}_cases.cmake)
  file(WRITE ${script} "foreach(case IN LISTS ${name}_cases)
  set_tests_properties(\"\${case}\" PROPERTIES LABELS \"${labels}\" TIMEOUT ${seconds}
    ENVIRONMENT_MODIFICATION \"${radosload_test_environment}\" ${more})
endforeach()
if(NOT \"${label}\" STREQUAL \"cluster\")
  list(APPEND radosload_tests_before_lab \${${name}_cases})
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# A unit program holds every tests/unit/ROOM_*_test.cc: a test belongs to its room by its name; and what
# SOURCES adds. Any other word is radosload_test's.
function(radosload_unit_tests room)
  cmake_parse_arguments(UNIT "" "TSAN" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/${room}_*_test.cc)
  radosload_test(NAME unit_${room} LABEL unit ${UNIT_UNPARSED_ARGUMENTS} SOURCES ${sources} ${UNIT_SOURCES}
    ROOMS ${room} ${UNIT_ROOMS} LIBRARIES ${UNIT_LIBRARIES} TSAN ${UNIT_TSAN})
endfunction()

# radosload_fuzz(NAME pattern ROOMS workload [SOURCES target/sim_model.cc]): tests/fuzz/NAME_fuzz.cc
# and its kept inputs. In the fuzz build it becomes the program fuzz_NAME, which looks for new ones;
# in every other the test fuzz.NAME, which unpacks the kept ones and fails unless all of them run.
# SOURCES: single files of rooms that clang cannot compile as a whole, because it does not understand
# rados/buffer.h. Where they are replayed, their rooms are compiled in any case, and are linked instead.
function(radosload_fuzz)
  cmake_parse_arguments(FUZZ "" "NAME" "ROOMS;SOURCES;LIBRARIES" ${ARGN})
  set(source fuzz/${FUZZ_NAME}_fuzz.cc)
  if(RADOSLOAD_SANITIZE MATCHES "fuzzer")
    set(program fuzz_${FUZZ_NAME})
    list(TRANSFORM FUZZ_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/)
    add_executable(${program} EXCLUDE_FROM_ALL ${source} ${FUZZ_SOURCES})
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  else()
    set(program replay_${FUZZ_NAME})
    add_executable(${program} ${source} fuzz/replay.cc)
    list(TRANSFORM FUZZ_SOURCES REPLACE "/.*" "")
    list(APPEND FUZZ_ROOMS ${FUZZ_SOURCES})
    list(REMOVE_DUPLICATES FUZZ_ROOMS)
    set(test fuzz.${FUZZ_NAME})
    add_test(NAME ${test} COMMAND ${RADOSLOAD_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus.py replay ${FUZZ_NAME}
      ${CMAKE_CURRENT_BINARY_DIR}/fuzz_corpus/${FUZZ_NAME} $<TARGET_FILE:${program}>)
    set_tests_properties(${test} PROPERTIES LABELS unit TIMEOUT 300
      PROCESSORS ${RADOSLOAD_COMPUTES} ENVIRONMENT_MODIFICATION "${radosload_test_environment}")
    set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_TESTS ${test})
    set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_PROGRAMS ${program})
  endif()
  target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  list(TRANSFORM FUZZ_ROOMS PREPEND radosload_)
  target_link_libraries(${program} PRIVATE ${FUZZ_ROOMS} ${FUZZ_LIBRARIES} fmt::fmt tl::expected)
  radosload_tool(${program})
endfunction()

# radosload_python_tests(unit structure/test_*.py): one ctest per file, named after it; with the label
# cluster, for files that make labs of their own, one per class.
function(radosload_python_tests label pattern)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  foreach(file IN LISTS files)
    # In its own folder, where it finds what it shares with its neighbours.
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET file STEM module)
    set(test ${folder}/${module})
    string(REGEX REPLACE "^tests/" "" test ${test})
    string(REPLACE "/" "." test ${test})
    if(NOT label STREQUAL "cluster")
      radosload_python_test(${test} ${label} ${folder} ${module})
      set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_TESTS ${test})
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} classes REGEX "^class [A-Za-z0-9_]+[(]")
    if(NOT classes)
      message(FATAL_ERROR "${file} has no class of tests")
    endif()
    foreach(class IN LISTS classes)
      string(REGEX REPLACE "^class ([A-Za-z0-9_]+).*" "\\1" class ${class})
      radosload_python_test(${test}.${class} cluster ${folder} ${module}.${class})
      # Labs up and down, some on emulated hard disks: one at a time, from the beginning on, because
      # they are the longest.
      set_tests_properties(${test}.${class} PROPERTIES TIMEOUT 1200 RESOURCE_LOCK lab_tests COST 100)
    endforeach()
  endforeach()
endfunction()

function(radosload_python_test name label folder words)
  add_test(NAME ${name} COMMAND ${RADOSLOAD_PYTHON} -B -m unittest -v ${words}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 300
    ENVIRONMENT_MODIFICATION "${radosload_test_environment}" ENVIRONMENT
    "RADOSLOAD_BINARY_DIR=${PROJECT_BINARY_DIR};RADOSLOAD_TEST_PYTHON=${RADOSLOAD_TEST_PYTHON}")
endfunction()

# Python files whose tests run on one of the labs, which they claim by tests/support/labs.py.
function(radosload_python_tests_on_lab pattern)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET file STEM module)
    string(REGEX REPLACE "^tests/" "" test ${folder}/${module})
    string(REPLACE "/" "." test ${test})
    radosload_python_test(${test} cluster ${folder} ${module})
    # First, because they are the longest: they would end long after the others.
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 FIXTURES_REQUIRED labs COST 90)
  endforeach()
endfunction()

# radosload_check(NAME structure.rooms COMMAND ...): any other command, as a unit test.
function(radosload_check)
  cmake_parse_arguments(CHECK "" "NAME" "COMMAND" ${ARGN})
  add_test(NAME ${CHECK_NAME} COMMAND ${CHECK_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${CHECK_NAME} PROPERTIES LABELS unit TIMEOUT 300)
  set_property(GLOBAL APPEND PROPERTY RADOSLOAD_UNIT_TESTS ${CHECK_NAME})
endfunction()

# Called once, after the last test: the lab as a fixture, the TSan subset, and the programs with the
# label unit alone, for whoever builds a package.
function(radosload_finish_tests)
  # A test file that no program holds would never run, and nobody would notice.
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc)
  get_property(sources GLOBAL PROPERTY RADOSLOAD_TEST_SOURCES)
  list(REMOVE_ITEM files ${sources})
  if(files)
    message(FATAL_ERROR "no test program holds ${files}; name the room in tests/CMakeLists.txt")
  endif()

  # In a script of its own that ctest reads last, because only there all the names are known: the
  # labs wait for the tests that need none, so that the fast ones come first.
  get_property(unit GLOBAL PROPERTY RADOSLOAD_UNIT_TESTS)
  set(fixture ${CMAKE_CURRENT_SOURCE_DIR}/support/lab_fixture.sh)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/lab_fixture.cmake)
  file(WRITE ${script} "
add_test(labs.up \"${fixture}\" up \"${PROJECT_BINARY_DIR}\")
set_tests_properties(labs.up PROPERTIES FIXTURES_SETUP labs LABELS cluster TIMEOUT 300
  DEPENDS \"${unit};\${radosload_tests_before_lab}\")
add_test(labs.down \"${fixture}\" down \"${PROJECT_BINARY_DIR}\")
set_tests_properties(labs.down PROPERTIES FIXTURES_CLEANUP labs LABELS cluster TIMEOUT 120)
")
  set(RADOSLOAD_TIERS ${CMAKE_CURRENT_SOURCE_DIR}/tiers.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${RADOSLOAD_TIERS})
  get_property(RADOSLOAD_DECLARED_TESTS DIRECTORY PROPERTY TESTS)
  include(tiers.cmake)
  set(tiers ${CMAKE_CURRENT_BINARY_DIR}/tiers.cmake)
  file(WRITE ${tiers} "set(RADOSLOAD_TIERS \"${RADOSLOAD_TIERS}\")
include(\"${CMAKE_CURRENT_SOURCE_DIR}/tiers.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script} ${tiers})
  file(STRINGS ${fixture} labs REGEX "^LABS=")
  string(REPLACE "LABS=" "" labs ${labs})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fixture})
  radosload_lab_resources(${PROJECT_BINARY_DIR}/labs.json ${labs})
  radosload_lab_resources(${PROJECT_BINARY_DIR}/one_lab.json 1)

  get_property(tsan GLOBAL PROPERTY RADOSLOAD_TSAN_TESTS)
  add_custom_target(tsan_tests DEPENDS ${tsan})
  list(JOIN tsan "\n" names)
  file(WRITE ${PROJECT_BINARY_DIR}/tsan_tests.txt "${names}")

  get_property(programs GLOBAL PROPERTY RADOSLOAD_UNIT_PROGRAMS)
  add_custom_target(unit_tests DEPENDS ${programs})
endfunction()

# For ctest --resource-spec-file: so many labs, each for four tests that share it or for one that does not
# (tiers.cmake). (one_lab.json is for a cluster of somebody else's: one test at a time.)
function(radosload_lab_resources file count)
  set(labs "")
  foreach(number RANGE 1 ${count})
    list(APPEND labs "{\"id\": \"${number}\", \"slots\": 4}")
  endforeach()
  list(JOIN labs ", " labs)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
    "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"labs\": [${labs}]}]}\n")
endfunction()
