// The librados settings that matter for a load generator: those to set before connecting, so that
// the client limits the load as little as possible and uses little of the machine, and those to
// record with the result. Connection::open takes what these functions return.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "cluster/connection.h"

namespace radosload::target {

// The load on one cluster handle.
struct ClientDemand {
  std::uint32_t depth = 1;   // operations in flight at most, prefill's too
  Bytes largest = {};        // the most bytes any one of them moves
  Bytes block = {};          // what a measured one moves
  Time op_timeout{0};        // 0: none
  bool images = false;       // operations go through librbd ...
  bool image_cache = false;  // ... and its cache
};

// By default librados blocks silently at 1024 operations or 100 MiB in flight (25 objects of 4
// MiB); both limits are raised to the demand with headroom, never lowered. Settings that this
// librados does not know are left out. Images: librbd's cache and scheduler are off unless
// requested, and there is always a timeout, because librbd cannot close an image with a waiting
// operation.
cluster::Connection::Settings client_settings(const ClientDemand& demand);

// Settings that make an operation cheaper for the client on a machine with this number of
// processors; they apply unless the user chose otherwise.
std::vector<cluster::Connection::Preference> thrifty_settings(const ClientDemand& demand,
                                                              unsigned processors);

// The settings in force that affect results, by their Ceph names, for the record.
std::map<std::string, std::string> settings_in_force(const cluster::Connection& connection);

}  // namespace radosload::target
