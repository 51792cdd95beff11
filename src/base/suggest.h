// "Did you mean ...?": the known word nearest to one that is not known.
#pragma once

#include <span>
#include <string_view>

namespace radosload {

// The known word that takes the fewest single-letter changes (insert, drop, replace, swap two
// neighbours), as long as they are few for its length; empty when none comes near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace radosload
