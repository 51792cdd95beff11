// Every setting of one run, including defaults. Options are parsed into a RunPlan, plan/validate
// refuses contradictions, and from then on it is only read. The name, text and parser of each
// option are a row of the table in plan/options.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "radosload/pattern.h"
#include "radosload/units.h"

namespace radosload {

// How to reach a cluster: Ceph's own options, with Ceph's names.
struct ClusterOptions {
  std::string conf;                         // -c; empty: CEPH_CONF, then Ceph's search path
  std::string name;                         // -n client.x, or --id x; empty: client.admin
  std::string cluster = "ceph";             // --cluster
  std::string keyring;                      // -k
  std::string mon_host;                     // -m
  Time timeout = std::chrono::seconds(15);  // for connecting and for each command

  bool operator==(const ClusterOptions&) const = default;
};

enum class TargetKind : std::uint8_t { rados, null, sim, rbd, block, cephfs };

// The images of a run, for TargetKind::rbd. `create` is also the size of the file that a run on a
// drive makes.
struct ImagePlan {
  std::vector<std::string> names;  // NAME or NAME@SNAP; empty: created ones, one for each client
  std::string nspace;              // the RBD namespace; empty: the pool's own images
  std::string data_pool;           // of made ones; empty: the pool itself
  Bytes create;                    // the size of each; 0: they exist
  bool destroy_data = false;    // existing images that radosload did not create may be overwritten
  bool cache = false;           // librbd's, and its scheduler
  std::string passphrase_file;  // of encrypted ones

  bool operator==(const ImagePlan&) const = default;
};

// The drive of a run, for TargetKind::block.
struct DrivePlan {
  std::string path;    // a block device or a file
  std::string serial;  // the device with this serial may be overwritten; empty: none may

  bool any() const { return !path.empty(); }
  bool operator==(const DrivePlan&) const = default;
};

// The file system (CephFS) of a run, for TargetKind::cephfs.
struct FilePlan {
  std::string system;  // its name

  bool any() const { return !system.empty(); }
  bool operator==(const FilePlan&) const = default;
};

// The role of an OSD for an object that is pinned to it.
enum class PinMode : std::uint8_t {
  primary,  // it is the primary: serves the reads and coordinates the writes
  all,      // the whole acting set is among the chosen OSDs
};

// Which OSDs the run loads; each of them has its own lane.
struct PinPlan {
  std::string osds;  // the value of --osd; empty: nothing is pinned
  PinMode mode = PinMode::primary;

  bool any() const { return !osds.empty(); }
  bool operator==(const PinPlan&) const = default;
};

// A second user, which reads the counters of OSDs and does no I/O: reading them takes caps that a
// user who writes should not have.
struct ObserverPlan {
  std::string id;       // without its type; empty: no counters are read
  std::string keyring;  // empty: Ceph's search path for that user

  bool any() const { return !id.empty(); }
  bool operator==(const ObserverPlan&) const = default;
};

// Which sensors of this machine tell its power.
enum class PowerSensors : std::uint8_t { off, rapl, hwmon, automatic };

// Measuring power: by sensors of this machine, by a command, or by both, which are added up.
struct PowerPlan {
  PowerSensors sensors = PowerSensors::off;
  std::string command;                  // prints watts; empty: none
  Time idle = std::chrono::seconds(5);  // for how long the power without load is measured; 0: not

  bool any() const { return sensors != PowerSensors::off || !command.empty(); }
  bool operator==(const PowerPlan&) const = default;
};

// What ends the measured phase: the first limit that is reached.
struct Extent {
  Time time = std::chrono::seconds(60);  // 0: no limit
  std::uint64_t ops = 0;                 // 0: no limit
  Bytes bytes;                           // 0: no limit

  bool operator==(const Extent&) const = default;
};

// How the members of a session divide the load.
enum class Sharing : std::uint8_t {
  split,  // together they are one load: depth, rate, --ops and --bytes are totals
  all,    // each of them is a load of that depth, rate and length; the objects are shared
};

// Several processes, on several machines, as one load.
struct SessionPlan {
  std::string name;                      // empty: a run by itself
  std::string members;                   // "8", or "4-8"
  Time wait = std::chrono::seconds(60);  // for them to come
  Sharing share = Sharing::split;

  bool any() const { return !name.empty(); }
  bool operator==(const SessionPlan&) const = default;
};

// Notes of the user about a run, as in rack=3.
using Labels = std::map<std::string, std::string>;

struct RunPlan {
  ClusterOptions cluster;
  TargetKind target = TargetKind::rados;
  std::string pool;                  // of files: one of the data pools of their file system
  std::string nspace = "radosload";  // of our objects, and of our notes about images
  ImagePlan images;
  DrivePlan drive;
  FilePlan files;
  PinPlan pins;
  ObserverPlan observer;
  PowerPlan power;
  SessionPlan session;

  Pattern pattern;
  // Whether the user gave these; otherwise they are the pattern's, and an image's own sizes apply.
  bool size_named = false;
  bool object_size_named = false;
  Arrival arrival;
  Extent extent;
  Time warmup = std::chrono::seconds(5);  // with warmup_auto the longest it may take
  bool warmup_auto = false;               // until the load is steady
  Time drain = std::chrono::seconds(30);
  Time op_timeout{0};          // 0: none
  std::uint32_t clients = 1;   // independent cluster handles, each a lane
  std::uint64_t seed = 0;      // 0: drawn, then printed and recorded
  std::uint64_t slowest = 10;  // how many of the slowest operations are listed; 0: none
  std::string sim;             // the sim target's own description, for --target sim

  bool keep = false;  // leave the objects for a later --reuse
  std::string reuse;  // run id of the objects to use, or "last"
  bool allow_unhealthy = false;
  bool push_through = false;  // continue when the cluster gets into trouble
  Bytes prefill_rate;         // per second; 0: as fast as it goes

  Labels labels;  // for people and scripts; the run does not depend on them

  bool operator==(const RunPlan&) const = default;
};

// Whether operations go to a cluster.
bool needs_cluster(TargetKind target);

// The target of a plan whose user has not named one: that of the drive or the images it names.
TargetKind implied_target(const RunPlan& plan);

// The default of --qd in an open loop: how many operations may be outstanding before others are
// sent late. It limits memory, because operations would pile up at a rate that the cluster cannot
// keep.
std::uint32_t default_open_depth(Bytes block_size);

}  // namespace radosload
