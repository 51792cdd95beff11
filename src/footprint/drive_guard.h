// What protects the data on a drive: which device a run may overwrite, and the only function that
// opens one for writing.
#pragma once

#include <optional>
#include <string>

#include "radosload/result.h"

#include "base/descriptor.h"
#include "observe/drive.h"

namespace radosload::footprint {

// Why the device must not be overwritten; none: it may. `serial`: of the device whose data the user
// has given up, by --destroy-data. What is in use is refused even then.
std::optional<Error> refusal_to_overwrite(const observe::Drive& drive, const std::string& serial);

// Opens the device for writing, past the page cache. While it is open no other program can mount
// it or open it exclusively. Refuses a device that another program has open in this way, and one
// that a BlueStore OSD has locked.
Result<base::Descriptor> open_to_overwrite(const observe::Drive& drive, const std::string& serial);

}  // namespace radosload::footprint
