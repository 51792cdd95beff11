# Compiler and linker settings shared by every target of ours, as one interface library.
# Third-party headers are included as SYSTEM, so the strict warnings speak of our code alone.

add_library(radosload_options INTERFACE)
target_compile_features(radosload_options INTERFACE cxx_std_20)
target_include_directories(radosload_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

if(RADOSLOAD_STRICT)
  target_compile_options(radosload_options INTERFACE
    -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
    -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast -Wimplicit-fallthrough
    -Wextra-semi -Wundef)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps in std::string's own copying that cannot occur (its bug 105651). For the
    # same kind of reason -Wnull-dereference is not in the list.
    target_compile_options(radosload_options INTERFACE -Wno-restrict)
  endif()
  if(RADOSLOAD_UNITY)
    # A file within a batch is not the main one, and GCC takes what it keeps to itself for shared. What
    # a local name hides may be another file's; builds of single files warn of that.
    target_compile_options(radosload_options INTERFACE -Wno-subobject-linkage -Wno-shadow)
  endif()
  if(RADOSLOAD_SANITIZE)
    # GCC's flow analysis stumbles over the checks that the sanitizers add.
    target_compile_options(radosload_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

if(RADOSLOAD_SANITIZE)
  target_compile_options(radosload_options INTERFACE
    -fsanitize=${RADOSLOAD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(radosload_options INTERFACE -fsanitize=${RADOSLOAD_SANITIZE})
endif()
if(RADOSLOAD_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The global variables are described with pointers. In a program that can lie anywhere these are
  # relocations, worked off at each start.
  target_compile_options(radosload_options INTERFACE -fno-pie)
  target_link_options(radosload_options INTERFACE -no-pie)
endif()
if(RADOSLOAD_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # So many KiB before the compiler collects garbage: a batch takes 1.5 GB instead of 1, and 9 % less time.
  target_compile_options(radosload_options INTERFACE --param=ggc-min-heapsize=2000000)
endif()
if(RADOSLOAD_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT
   RADOSLOAD_UBSAN_MESSAGES)
  # UBSan describes each of its checks, and ASan guards each description: 90 MiB, written at each
  # start. A trap needs none, and ASan shows its file and line. It cannot check the types of objects
  # (vptr); the preset for coverage does. (TSan reports UBSan's own pipe as a race.)
  target_compile_options(radosload_options INTERFACE -fsanitize-undefined-trap-on-error)
endif()

if(RADOSLOAD_TCMALLOC)
  find_library(RADOSLOAD_TCMALLOC_LIBRARY NAMES tcmalloc REQUIRED)
endif()

# Every program of ours ends here: the allocator is linked last and never preloaded.
function(radosload_program target)
  target_link_libraries(${target} PRIVATE radosload_options)
  if(RADOSLOAD_TCMALLOC)
    target_link_options(${target} PRIVATE -Wl,--no-as-needed)
    target_link_libraries(${target} PRIVATE ${RADOSLOAD_TCMALLOC_LIBRARY})
  endif()
endfunction()

# A program of ours that is neither shipped nor measured: in a release as well, nobody waits for it to
# be optimized.
function(radosload_tool target)
  radosload_program(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Release>:-g0>)
endfunction()
