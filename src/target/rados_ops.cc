// How each kind of operation is done with librados, and what its answer means.

#include <algorithm>
#include <cerrno>

#include "target/rados_driver.h"

namespace radosload::target {

namespace {

using librados::bufferlist;

void name_object(Driver& driver) {
  workload::object_name(driver.name, driver.options->dataset, driver.slot->op.object);
}

int issue_read(Driver& driver, Flight& flight) {
  const Op& op = driver.slot->op;
  flight.received.clear();
  if (driver.options->cache != CacheMode::bypass) {
    return driver.pool->aio_read(driver.name, flight.completion, &flight.received, op.length,
                                 op.offset);
  }
  librados::ObjectReadOperation read;
  read.read(op.offset, op.length, &flight.received, &flight.read_rc);
  read.set_op_flags2(librados::OP_FADVISE_DONTNEED);
  return driver.pool->aio_operate(driver.name, flight.completion, &read, nullptr);
}

int issue_write(Driver& driver, Flight& flight) {
  const Op& op = driver.slot->op;
  const RadosTargetOptions& options = *driver.options;
  const bool replaces =
      !options.traits.overwrites && op.offset == 0 && op.length == options.object_size.count;
  const bufferlist& payload = driver.sent.bytes(op.length);
  if (options.cache != CacheMode::bypass) {
    if (replaces) return driver.pool->aio_write_full(driver.name, flight.completion, payload);
    return driver.pool->aio_write(driver.name, flight.completion, payload, op.length, op.offset);
  }
  librados::ObjectWriteOperation write;
  if (replaces) {
    write.write_full(payload);
  } else {
    write.write(op.offset, payload);
  }
  write.set_op_flags2(librados::OP_FADVISE_DONTNEED);
  return driver.pool->aio_operate(driver.name, flight.completion, &write);
}

// Gives the container exactly the keys of the operation, and reuses the memory of existing keys.
template <typename Container, typename Rekey, typename Make>
void take_keys(Container& container, std::uint64_t first, std::uint64_t count, Rekey rekey,
               Make make) {
  std::array<char, workload::omap_key_size> buffer{};
  while (container.size() > count) container.erase(container.begin());
  Container renamed;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = workload::omap_key(buffer, first + i);
    if (container.empty()) {
      make(renamed, key);
    } else {
      auto node = container.extract(container.begin());
      rekey(node, key);
      renamed.insert(renamed.end(), std::move(node));
    }
  }
  container.swap(renamed);
}

struct Keys {
  std::uint64_t first;
  std::uint64_t count;
};

Keys keys_of(const Driver& driver) {
  const Op& op = driver.slot->op;
  const std::uint64_t value = std::max<std::uint64_t>(1, driver.options->omap_value.count);
  return {op.offset / value, op.length / value};
}

int issue_omap_set(Driver& driver, Flight& flight) {
  const Keys keys = keys_of(driver);
  take_keys(
      driver.sets, keys.first, keys.count, [](auto& node, auto key) { node.key().assign(key); },
      [](auto& into, auto key) { into.emplace_hint(into.end(), key, bufferlist()); });
  const auto value = static_cast<unsigned>(driver.options->omap_value.count);
  unsigned offset = 0;
  for (auto& [key, content] : driver.sets) {
    content.clear();
    content.append(driver.sent.memory(), offset, value);
    content.invalidate_crc();
    offset += value;
  }
  librados::ObjectWriteOperation set;
  set.omap_set(driver.sets);
  return driver.pool->aio_operate(driver.name, flight.completion, &set);
}

int issue_omap_get(Driver& driver, Flight& flight) {
  const Keys keys = keys_of(driver);
  take_keys(
      driver.keys, keys.first, keys.count, [](auto& node, auto key) { node.value().assign(key); },
      [](auto& into, auto key) { into.emplace_hint(into.end(), key); });
  flight.values.clear();
  librados::ObjectReadOperation get;
  get.omap_get_vals_by_keys(driver.keys, &flight.values, &flight.read_rc);
  return driver.pool->aio_operate(driver.name, flight.completion, &get, nullptr);
}

int issue_create(Driver& driver, Flight& flight) {
  librados::ObjectWriteOperation create;
  create.create(true);
  return driver.pool->aio_operate(driver.name, flight.completion, &create);
}

Outcome got(Slot& slot, std::span<const std::byte> data) {
  slot.received = data;
  if (data.size() < slot.op.length) return {.rc = rc_short_read};
  return {.bytes = static_cast<std::uint32_t>(data.size())};
}

// A single value is used in place; several are joined. Not in the slot's buffer, which a message of
// an earlier write may still refer to.
Outcome got_values(Slot& slot, Flight& flight) {
  if (flight.values.size() == 1) return got(slot, contiguous(flight.values.begin()->second));
  flight.joined.resize(slot.op.length);
  std::size_t filled = 0;
  for (auto& [key, value] : flight.values) {
    const std::size_t size = std::min<std::size_t>(value.length(), flight.joined.size() - filled);
    value.begin().copy(static_cast<unsigned>(size),
                       reinterpret_cast<char*>(flight.joined.data() + filled));
    filled += size;
  }
  return got(slot, std::span(flight.joined).first(filled));
}

}  // namespace

void prepare(Driver& driver, Slot& slot, librados::IoCtx& pool, const RadosTargetOptions& options) {
  driver.slot = &slot;
  driver.pool = &pool;
  driver.options = &options;
  driver.name.resize(workload::object_name_size(options.dataset));
  for (Flight& flight : driver.flights) flight.driver = &driver;
  driver.sent.serve(slot);
  slot.driver = &driver;
}

void ready_buffer(Driver& driver) noexcept {
  for (auto& [key, value] : driver.sets) value.clear();
  driver.sent.renew(*driver.slot);
}

void release_buffer(Driver& driver) noexcept {
  driver.sets.clear();
  driver.sent = {};
}

int issue(Driver& driver, Flight& flight) noexcept {
  name_object(driver);
  switch (driver.slot->op.kind) {
    case OpKind::read:
      return issue_read(driver, flight);
    case OpKind::write:
      return issue_write(driver, flight);
    case OpKind::omap_set:
      return issue_omap_set(driver, flight);
    case OpKind::omap_get:
      return issue_omap_get(driver, flight);
    case OpKind::stat:
      // Not aio_stat2: librados 16 declares it but does not export it.
      return driver.pool->aio_stat(driver.name, flight.completion, &flight.size, &flight.changed);
    case OpKind::create:
      return issue_create(driver, flight);
    case OpKind::remove:
      return driver.pool->aio_remove(driver.name, flight.completion);
    case OpKind::flush:
    case OpKind::discard:
    case OpKind::list:
    case OpKind::sync:
      break;
  }
  return -EOPNOTSUPP;
}

Outcome outcome_of(Flight& flight) noexcept {
  Slot& slot = *flight.driver->slot;
  slot.received = {};
  const int rc = flight.completion->get_return_value();
  if (rc < 0) return {.rc = rc};
  switch (slot.op.kind) {
    case OpKind::read:
      return got(slot, contiguous(flight.received));
    case OpKind::omap_get:
      return got_values(slot, flight);
    case OpKind::write:
    case OpKind::omap_set:
      return {.bytes = slot.op.length};
    default:
      return {};
  }
}

}  // namespace radosload::target
