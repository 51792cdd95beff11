# Several sources compiled as one: most of a unit's time goes into headers that its neighbours read as
# well. Only for builds in which nobody looks for a missing #include; the presets dev and fuzz, and
# clang-tidy, compile every file by itself.
#
# CMake's own unity builds name files by their absolute paths, so that no two clones share a compiler
# cache; here they are named relative to a folder that is searched for includes.

set(RADOSLOAD_BATCH 16)  # more are slow to compile again after a change in one of them

# radosload_batches(sources FOLDER NAME FILE...): FILE are absolute and below FOLDER. Sets `sources` to
# what is to be compiled.
function(radosload_batches result folder name)
  if(NOT RADOSLOAD_UNITY)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(files ${ARGN})
  list(SORT files)
  list(LENGTH files count)
  math(EXPR batches "(${count} + ${RADOSLOAD_BATCH} - 1) / ${RADOSLOAD_BATCH}")
  set(made "")
  foreach(batch RANGE 1 ${batches})
    # Of about the same length, so that none is the last to be waited for.
    math(EXPR begin "${count} * (${batch} - 1) / ${batches}")
    math(EXPR length "${count} * ${batch} / ${batches} - ${begin}")
    list(SUBLIST files ${begin} ${length} part)
    set(text "")
    foreach(file IN LISTS part)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${folder})
      string(APPEND text "#include \"${file}\"\n")
    endforeach()
    set(unit ${PROJECT_BINARY_DIR}/batches/${name}_${batch}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
    list(APPEND made ${unit})
  endforeach()
  set(${result} ${made} PARENT_SCOPE)
endfunction()
