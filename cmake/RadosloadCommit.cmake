# The commit that is built, for --version: a source file in the build folder. It is "unknown" in an
# exported tree, from which packages are built, and also when that lies inside another repository.

function(radosload_commit target)
  set(RADOSLOAD_COMMIT unknown)
  find_package(Git QUIET)
  if(Git_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE
      ERROR_QUIET)
    if(top STREQUAL PROJECT_SOURCE_DIR)
      execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE commit
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(commit)
        set(RADOSLOAD_COMMIT ${commit})
      endif()
    endif()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/commit.cc @ONLY CONTENT
    "#include \"cli/version.h\"

namespace radosload::cli {

const char* const source_commit = \"@RADOSLOAD_COMMIT@\";

}  // namespace radosload::cli
")
  target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/commit.cc)
endfunction()
