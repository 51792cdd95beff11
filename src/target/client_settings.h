// The librados settings that bend a load generator: which to set before connecting, so that the
// client is no narrower than the load asked of it and takes no more of the machine than it must,
// and which to record with the result. What each returns goes into Connection::open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "cluster/connection.h"

namespace radosload::target {

// What one cluster handle will be asked for.
struct ClientDemand {
  std::uint32_t depth = 1;   // operations in flight at most, prefill's too
  Bytes largest = {};        // the most bytes any one of them moves
  Bytes block = {};          // what a measured one moves
  Time op_timeout{0};        // 0: none
  bool images = false;       // operations go through librbd ...
  bool image_cache = false;  // ... and its cache
};

// By default librados stops taking operations, silently, at 1024 in flight or at 100 MiB (25
// objects of 4 MiB); both are raised to the demand with headroom, never lowered. Settings that this
// librados does not know are left out. Images: no cache and no scheduler of librbd's unless asked
// for, and always a timeout, since librbd cannot close an image that waits.
cluster::Connection::Settings client_settings(const ClientDemand& demand);

// What makes an operation cheaper for the client, for as long as nobody has chosen otherwise; on a
// machine with so many processors.
std::vector<cluster::Connection::Preference> thrifty_settings(const ClientDemand& demand,
                                                              unsigned processors);

// For the record: the settings in force that bend results, by their names in Ceph.
std::map<std::string, std::string> settings_in_force(const cluster::Connection& connection);

}  // namespace radosload::target
