# Rados::Rados: librados with its C++ interface (librados-dev and libradospp-dev on Debian).
find_path(Rados_INCLUDE_DIR rados/librados.hpp)
find_library(Rados_LIBRARY rados)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Rados REQUIRED_VARS Rados_LIBRARY Rados_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install librados-dev and libradospp-dev (tools/dev setup does)")
if(Rados_FOUND AND NOT TARGET Rados::Rados)
  add_library(Rados::Rados UNKNOWN IMPORTED)
  set_target_properties(Rados::Rados PROPERTIES IMPORTED_LOCATION ${Rados_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${Rados_INCLUDE_DIR})
endif()
mark_as_advanced(Rados_INCLUDE_DIR Rados_LIBRARY)
