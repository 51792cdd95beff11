# CephFS::CephFS: libcephfs (libcephfs-dev on Debian).
find_path(CephFS_INCLUDE_DIR cephfs/libcephfs.h)
find_library(CephFS_LIBRARY cephfs)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CephFS REQUIRED_VARS CephFS_LIBRARY CephFS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libcephfs-dev (tools/dev setup does)")
if(CephFS_FOUND AND NOT TARGET CephFS::CephFS)
  add_library(CephFS::CephFS UNKNOWN IMPORTED)
  set_target_properties(CephFS::CephFS PROPERTIES IMPORTED_LOCATION ${CephFS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CephFS_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS _FILE_OFFSET_BITS=64)  # its header demands it
endif()
mark_as_advanced(CephFS_INCLUDE_DIR CephFS_LIBRARY)
