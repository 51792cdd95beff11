#include "placement/osd_pairing.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace radosload::placement {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

class Pairing {
 public:
  explicit Pairing(const std::vector<PossiblePair>& possible) : m_possible(possible) {
    std::size_t as = 0;
    std::size_t bs = 0;
    for (const PossiblePair& pair : possible) {
      as = std::max(as, pair.a + 1);
      bs = std::max(bs, pair.b + 1);
    }
    m_of_a.resize(as);
    m_pair_of_a.assign(as, none);
    m_pair_of_b.assign(bs, none);
    m_seen.assign(bs, false);
    for (std::size_t i = 0; i < possible.size(); ++i) m_of_a[possible[i].a].push_back(i);
  }

  std::vector<PossiblePair> run() {
    for (std::size_t i = 0; i < m_possible.size(); ++i) {
      const PossiblePair& pair = m_possible[i];
      if (m_pair_of_a[pair.a] == none && m_pair_of_b[pair.b] == none) match(i);
    }
    for (std::size_t a = 0; a < m_of_a.size(); ++a) {
      if (m_pair_of_a[a] == none) make_room(a);
    }
    std::vector<PossiblePair> taken;
    for (const std::size_t pair : m_pair_of_a) {
      if (pair != none) taken.push_back(m_possible[pair]);
    }
    return taken;
  }

 private:
  void match(std::size_t pair) {
    m_pair_of_a[m_possible[pair].a] = pair;
    m_pair_of_b[m_possible[pair].b] = pair;
  }

  // Looks, breadth first, for a chain "a takes b, whose a takes another b, ..." that ends at a free
  // b. What a search that failed has seen leads nowhere for the next ones either, so all of them
  // together look at each possible pair once.
  void make_room(std::size_t start) {
    std::vector<std::size_t> seen;
    std::vector<std::size_t> queue = {start};
    std::vector<std::size_t> reached_by(m_pair_of_b.size(), none);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const std::size_t pair : m_of_a[queue[at]]) {
        const std::size_t b = m_possible[pair].b;
        if (m_seen[b]) continue;
        m_seen[b] = true;
        seen.push_back(b);
        reached_by[b] = pair;
        if (m_pair_of_b[b] == none) {
          exchange(b, reached_by);
          for (const std::size_t one : seen) m_seen[one] = false;
          return;
        }
        queue.push_back(m_possible[m_pair_of_b[b]].a);
      }
    }
  }

  void exchange(std::size_t b, const std::vector<std::size_t>& reached_by) {
    for (;;) {
      const std::size_t pair = reached_by[b];
      const std::size_t before = m_pair_of_a[m_possible[pair].a];
      match(pair);
      if (before == none) return;
      b = m_possible[before].b;
    }
  }

  const std::vector<PossiblePair>& m_possible;
  std::vector<std::vector<std::size_t>> m_of_a;
  std::vector<std::size_t> m_pair_of_a;
  std::vector<std::size_t> m_pair_of_b;
  std::vector<bool> m_seen;
};

void sort_by_weight(std::vector<PossiblePair>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const PossiblePair& x, const PossiblePair& y) {
    return std::tie(x.weight, x.a, x.b) < std::tie(y.weight, y.a, y.b);
  });
}

}  // namespace

std::vector<PossiblePair> pair_off(std::vector<PossiblePair> possible) {
  sort_by_weight(possible);
  std::vector<PossiblePair> taken = Pairing(possible).run();
  sort_by_weight(taken);
  return taken;
}

}  // namespace radosload::placement
