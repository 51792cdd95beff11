#include "views/mark_json.h"

#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

std::string mark_json(const std::string& text, const std::vector<std::string>& runs) {
  return json_text({{"schema", "radosload.mark/1"}, {"text", text}, {"runs", runs}});
}

}  // namespace radosload::views
