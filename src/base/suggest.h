// "Did you mean ...?": the known word nearest to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace radosload {

// The known word that takes the fewest single-letter changes (insert, drop, replace, swap two
// neighbours), as long as they are few for its length; else the only known word that begins with
// `word` (three letters at least); empty when there is none.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

// "did you mean rados?" for the nearest word; empty when there is none.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

// What to write instead of a value that is not one of these: "did you mean sim? Write rados, rbd or
// sim".
std::string values_hint(std::string_view word, std::span<const std::string_view> known);

// "rados, rbd or sim".
std::string one_of(std::span<const std::string_view> words);

}  // namespace radosload
