# Rbd::Rbd: librbd with its C++ interface (librbd-dev on Debian).
find_path(Rbd_INCLUDE_DIR rbd/librbd.hpp)
find_library(Rbd_LIBRARY rbd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Rbd REQUIRED_VARS Rbd_LIBRARY Rbd_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install librbd-dev (tools/dev setup does)")
if(Rbd_FOUND AND NOT TARGET Rbd::Rbd)
  add_library(Rbd::Rbd UNKNOWN IMPORTED)
  set_target_properties(Rbd::Rbd PROPERTIES IMPORTED_LOCATION ${Rbd_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Rbd_INCLUDE_DIR})
endif()
mark_as_advanced(Rbd_INCLUDE_DIR Rbd_LIBRARY)
