// Rows of the table of options: where the load goes, and how the cluster is reached.
#include "plan/names.h"
#include "plan/option_fields.h"
#include "plan/session_members.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

// A short form for one key of --sim.
Refusal set_threads(RunPlan& plan, std::string_view text) {
  std::uint64_t threads = 0;
  if (auto wrong = read_into(threads, text); !wrong.empty()) return wrong;
  plan.sim += fmt::format("{}threads={}", plan.sim.empty() ? "" : ",", threads);
  return {};
}

Refusal set_user(RunPlan& plan, std::string_view text) {
  plan.cluster.name = fmt::format("client.{}", text);
  return {};
}

Refusal set_members(RunPlan& plan, std::string_view text) {
  if (text.empty()) return {};
  const auto range = parse_members(text);
  if (!range) return refusal_of(range.error());
  plan.session.members = text;
  return {};
}

// A switch for images; for a drive the serial of what may be overwritten.
Refusal set_destroy_data(RunPlan& plan, std::string_view text) {
  plan.drive.serial.clear();
  if (read_into(plan.images.destroy_data, text).empty()) return {};
  plan.images.destroy_data = false;
  plan.drive.serial = text;
  return {};
}

TextAccess destroy_data_access() {
  return {.form = Form::flag,
          .get = [](const RunPlan& plan) -> std::optional<std::string> {
            if (!plan.drive.serial.empty()) return plan.drive.serial;
            return text_of(plan.images.destroy_data);
          },
          .set = set_destroy_data};
}

TextAccess members_access() {
  return {.form = Form::text,
          .get = [](const RunPlan& plan) { return std::optional(plan.session.members); },
          .set = set_members};
}

std::vector<Option> place_rows() {
  return {
      {.name = "pool",
       .letter = 'p',
       .group = Group::where,
       .type = "POOL",
       .help = "pool that gets the load",
       .access = field<&RunPlan::pool>()},
      {.name = "namespace",
       .group = Group::where,
       .type = "NS",
       .help = "namespace of the objects or images [for objects: radosload]",
       .access = field<&RunPlan::nspace>()},
      {.name = "image-namespace", .access = field<&RunPlan::images, &ImagePlan::nspace>()},
      {.name = "drive",
       .group = Group::where,
       .type = "DEVICE|FILE",
       .help = "measure this drive or file itself, without a cluster; --create SIZE makes the file",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::drive, &DrivePlan::path>()},
      {.name = "fs",
       .group = Group::where,
       .type = "NAME",
       .help = "measure this file system (CephFS), in a directory of its own; --pool chooses among "
               "its data pools",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::files, &FilePlan::system>()},
      {.name = "target",
       .group = Group::where,
       .type = "rados|rbd|cephfs|block|null|sim",
       .help =
           "rados: objects; rbd: images; cephfs: files; block: a drive; null: nothing (measures "
           "radosload itself); sim: a simulated cluster [block with --drive, cephfs with --fs, "
           "rbd with --image or --create, else rados]",
       .access = choice<target_names, &RunPlan::target>()},
      {.name = "sim",
       .group = Group::where,
       .type = "KEY=VALUE,...",
       .help = "properties of the simulated cluster; null: only osds and latency, which is added "
               "to the "
               "figures but not waited for",
       .access = field<&RunPlan::sim>()},
      {.name = "threads",
       .group = Group::where,
       .type = "N",
       .help = "sim: run in real time, with N threads [virtual time]",
       .short_for = "sim",
       .access = {.form = Form::number, .get = nullptr, .set = set_threads}},
  };
}

std::vector<Option> image_rows() {
  return {
      {.name = "image",
       .group = Group::images,
       .type = "NAME[@SNAP][,...]",
       .help = "images that get the load, or snapshots of images (reads only)",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::images, &ImagePlan::names>()},
      {.name = "create",
       .group = Group::images,
       .type = "SIZE",
       .help = "make images of this size and remove them afterwards; without --image, one for "
               "each client; with --drive: a file",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::images, &ImagePlan::create>()},
      {.name = "data-pool",
       .group = Group::images,
       .type = "POOL",
       .help = "data pool of the images that --create makes",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::images, &ImagePlan::data_pool>()},
      {.name = "destroy-data",
       .group = Group::images,
       .help = "overwrite images that radosload did not make; with --drive: =SERIAL, overwrite the "
               "drive with this serial",
       .may_have_value = true,
       .in_config = InConfig::one_run,
       .from_file = FromFile::said_again,
       .access = destroy_data_access()},
      {.name = "luks-passphrase",
       .group = Group::images,
       .type = "FILE",
       .help = "file with the passphrase of encrypted (LUKS) images",
       .access = field<&RunPlan::images, &ImagePlan::passphrase_file>()},
      {.name = "rbd-cache",
       .group = Group::images,
       .help =
           "keep the cache and scheduler of librbd on: the client then acknowledges writes itself",
       .in_config = InConfig::one_run,
       .access = field<&RunPlan::images, &ImagePlan::cache>()},
  };
}

std::vector<Option> osd_rows() {
  return {
      {.name = "osd",
       .group = Group::osds,
       .type = "LIST",
       .help = "use only objects that these OSDs serve, as in 0,3-5,host=NAME,class=hdd,kind=wal; "
               "--qd, --size and --rate are for each of them",
       .access = field<&RunPlan::pins, &PinPlan::osds>()},
      {.name = "pin",
       .group = Group::osds,
       .type = "primary|all",
       .help =
           "which objects belong to --osd: those whose primary is one of the OSDs, or those whose "
           "whole acting set is among them",
       .access = choice<pin_names, &RunPlan::pins, &PinPlan::mode>()},
  };
}

std::vector<Option> session_rows() {
  return {
      {.name = "session",
       .group = Group::session,
       .type = "NAME",
       .help = "run as one load together with other processes: give the same options on every "
               "machine, or 'radosload join NAME --pool POOL' on the others",
       .in_config = InConfig::one_run,
       .matters = Matters::no,
       .access = field<&RunPlan::session, &SessionPlan::name>()},
      {.name = "members",
       .group = Group::session,
       .type = "N|A-B",
       .help = "number of processes; A-B: start with B, or after --wait with at least A",
       .in_config = InConfig::one_run,
       .access = members_access()},
      {.name = "wait",
       .group = Group::session,
       .type = "TIME",
       .help = "how long to wait for the members",
       .matters = Matters::no,
       .access = field<&RunPlan::session, &SessionPlan::wait>()},
      {.name = "share",
       .group = Group::session,
       .type = "split|all",
       .help = "split: --qd, --rate, --ops and --bytes are totals of all members; all: each member "
               "gets "
               "the whole value",
       .access = choice<sharing_names, &RunPlan::session, &SessionPlan::share>()},
  };
}

}  // namespace

std::vector<Option> options_of_place() {
  std::vector<Option> rows = place_rows();
  for (Option& row : image_rows()) rows.push_back(std::move(row));
  for (Option& row : osd_rows()) rows.push_back(std::move(row));
  for (Option& row : session_rows()) rows.push_back(std::move(row));
  return rows;
}

std::vector<Option> options_of_cluster() {
  std::vector<Option> rows = {
      {.name = "conf",
       .letter = 'c',
       .type = "FILE",
       .help = "Ceph config file [CEPH_CONF, else /etc/ceph/ceph.conf]",
       .access = field<&RunPlan::cluster, &ClusterOptions::conf>()},
      {.name = "name",
       .letter = 'n',
       .type = "TYPE.ID",
       .help = "user with its type [client.admin]",
       .access = field<&RunPlan::cluster, &ClusterOptions::name>()},
      {.name = "id",
       .other = "user",
       .type = "ID",
       .help = "user without its type, as in admin",
       .short_for = "name",
       .access = {.get = nullptr, .set = set_user}},
      {.name = "keyring",
       .letter = 'k',
       .type = "FILE",
       .help = "the user's keyring",
       .access = field<&RunPlan::cluster, &ClusterOptions::keyring>()},
      {.name = "mon-host",
       .letter = 'm',
       .type = "HOSTS",
       .help = "addresses of the mons",
       .access = field<&RunPlan::cluster, &ClusterOptions::mon_host>()},
      {.name = "cluster",
       .type = "NAME",
       .help = "name of the cluster",
       .access = field<&RunPlan::cluster, &ClusterOptions::cluster>()},
      {.name = "connect-timeout",
       .type = "TIME",
       .help = "time limit for connecting and for each command",
       .access = field<&RunPlan::cluster, &ClusterOptions::timeout>()},
  };
  for (Option& row : rows) {
    row.group = Group::cluster;
    row.matters = Matters::no;
    row.from_file = FromFile::replaced;
  }
  return rows;
}

}  // namespace radosload::plan
