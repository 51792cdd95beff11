// Files that stand for a drive: made by a run, never in place of an existing file, and marked, so
// that a later run knows that it may overwrite them.
#pragma once

#include <string>

#include "radosload/result.h"
#include "radosload/units.h"

#include "base/descriptor.h"

namespace radosload::footprint {

struct DriveFile {
  base::Descriptor file;
  Bytes size;
  Bytes block;          // offsets and lengths must be multiples of it
  std::string made_by;  // the run that made it; empty: not radosload
};

// Opens an existing file past the page cache. For writing only if radosload made it.
Result<DriveFile> open_drive_file(const std::string& path, bool write);

// Makes it, with all its space allocated. Unless it is kept it has no name any more when this
// returns: the kernel removes it with the process, even if that is killed.
Result<DriveFile> make_drive_file(const std::string& path, Bytes size, const std::string& run,
                                  bool keep);

// Takes the file's name away, if it is still this file's.
void remove_drive_file(const std::string& path, int file);

// Why no such file can be made; an empty Status: it can, as far as can be seen without writing.
Status check_place_of_file(const std::string& path, Bytes size);

// The offset of the first byte that was never written, which the file system answers itself; the
// size of the file if there is none.
Bytes first_hole(int file, Bytes size);

}  // namespace radosload::footprint
