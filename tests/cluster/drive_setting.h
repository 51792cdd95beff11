// As long as it lives, the main drives of some OSDs of the lab are as this setting says: "iops=25",
// "flush=8ms". Where drives cannot be emulated it is not in force.
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace radosload::test {

class DriveSetting {
 public:
  DriveSetting(std::string osds, const std::string& setting)
      : m_osds(std::move(osds)),
        m_in_force(on_lab() && lab({"drive", m_osds, setting}).status == 0) {}
  ~DriveSetting() {
    if (!m_in_force) return;
    const Finished done = lab({"drive", m_osds, "profile"});
    EXPECT_EQ(done.status, 0) << done.err;
  }
  DriveSetting(const DriveSetting&) = delete;
  DriveSetting& operator=(const DriveSetting&) = delete;
  DriveSetting(DriveSetting&&) = delete;
  DriveSetting& operator=(DriveSetting&&) = delete;

  bool in_force() const { return m_in_force; }

 private:
  std::string m_osds;
  bool m_in_force;
};

}  // namespace radosload::test
