// Adds to the progress of a run which one of several it is, and the time that is left for all.
#pragma once

#include <string>
#include <utility>

#include "radosload/units.h"

#include "record/progress.h"

namespace radosload::study {

class StepListener final : public record::ProgressListener {
 public:
  StepListener(record::ProgressListener& listener, std::string name, Time left)
      : m_listener(listener), m_name(std::move(name)), m_left(left) {}

  void progress(const record::Progress& now) override {
    record::Progress named = now;
    named.step = m_name;
    named.left = m_left;
    m_listener.progress(named);
  }
  void note(const std::string& text) override { m_listener.note(text); }
  void begin() { m_listener.step(m_name, m_left); }

 private:
  record::ProgressListener& m_listener;
  std::string m_name;
  Time m_left;
};

}  // namespace radosload::study
