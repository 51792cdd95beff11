#include "record/cell.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace radosload::record {

void Latency::split() {
  m_response = m_service;
  m_split = true;
}

void Latency::merge(const Latency& other) {
  if (other.m_split && !m_split) split();
  m_service.merge(other.m_service);
  if (m_split) m_response.merge(other.response());
}

void Latency::clear() {
  m_service.clear();
  m_response.clear();
  m_split = false;
}

void Latency::add(const Buckets& service, const Buckets* response) {
  if (response != nullptr && !m_split) split();
  m_service.add(service);
  if (m_split) m_response.add(response != nullptr ? *response : service);
}

bool Latency::assemble(Histogram service, Histogram response, Latency& into) {
  if (service.count() != response.count()) return false;
  into.m_split = !(service == response);
  into.m_service = std::move(service);
  into.m_response = into.m_split ? std::move(response) : Histogram{};
  return true;
}

bool Latency::operator==(const Latency& other) const {
  return m_service == other.m_service &&
         ((!m_split && !other.m_split) || response() == other.response());
}

void add_error(std::vector<ErrorCount>& errors, std::int32_t rc, std::uint64_t count) {
  const auto place =
      std::lower_bound(errors.begin(), errors.end(), rc,
                       [](const ErrorCount& error, std::int32_t key) { return error.rc < key; });
  if (place != errors.end() && place->rc == rc) {
    place->count += count;
  } else {
    errors.insert(place, {.rc = rc, .count = count});
  }
}

void add_errors(std::vector<ErrorCount>& errors, const std::vector<ErrorCount>& more) {
  for (const ErrorCount& error : more) add_error(errors, error.rc, error.count);
}

std::uint64_t error_total(const std::vector<ErrorCount>& errors) {
  std::uint64_t total = 0;
  for (const ErrorCount& error : errors) total += error.count;
  return total;
}

Flow& Flow::operator+=(const Flow& other) {
  submitted += other.submitted;
  completed += other.completed;
  failed += other.failed;
  cancelled += other.cancelled;
  return *this;
}

Amount& Amount::operator+=(const Amount& other) {
  ops += other.ops;
  bytes += other.bytes;
  return *this;
}

void Lost::merge(const Lost& other) {
  service.merge(other.service);
  response.merge(other.response);
}

void Lost::clear() {
  service.clear();
  response.clear();
}

void Cell::merge(const Cell& other) {
  finished += other.finished;
  drained += other.drained;
  bytes += other.bytes;
  cancelled += other.cancelled;
  late += other.late;
  add_errors(errors, other.errors);
  latency.merge(other.latency);
  lost.merge(other.lost);
}

void Cell::clear() {
  finished = {};
  drained = {};
  bytes = 0;
  cancelled = 0;
  late = 0;
  errors.clear();
  latency.clear();
  lost.clear();
}

Cell& cell_for(std::vector<Cell>& cells, std::int32_t osd, OpKind kind) {
  const auto key = std::tuple(osd, kind);
  auto place = std::lower_bound(cells.begin(), cells.end(), key, [](const Cell& cell, auto sought) {
    return std::tuple(cell.osd, cell.kind) < sought;
  });
  if (place == cells.end() || std::tuple(place->osd, place->kind) != key) {
    place = cells.insert(place, Cell{});
    place->osd = osd;
    place->kind = kind;
  }
  return *place;
}

void merge_cells(std::vector<Cell>& cells, const std::vector<Cell>& more) {
  for (const Cell& cell : more) cell_for(cells, cell.osd, cell.kind).merge(cell);
}

}  // namespace radosload::record
