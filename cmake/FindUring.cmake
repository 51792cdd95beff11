# Uring::Uring: liburing, the rings of the kernel (io_uring) (liburing-dev on Debian).
find_path(Uring_INCLUDE_DIR liburing.h)
find_library(Uring_LIBRARY uring)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Uring REQUIRED_VARS Uring_LIBRARY Uring_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install liburing-dev (tools/dev setup does)")
if(Uring_FOUND AND NOT TARGET Uring::Uring)
  add_library(Uring::Uring UNKNOWN IMPORTED)
  set_target_properties(Uring::Uring PROPERTIES IMPORTED_LOCATION ${Uring_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Uring_INCLUDE_DIR})
endif()
mark_as_advanced(Uring_INCLUDE_DIR Uring_LIBRARY)
