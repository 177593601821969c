// A temporary file without a name: nothing is left behind however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace anytimebn {

class NamelessFile {
 public:
    NamelessFile() = default;
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;
    ~NamelessFile();

    // False if no file can be made in the folder; true if it is open already.
    bool open(const std::string& folder);
    // From any thread, all bytes or false.
    bool write(std::uint64_t offset, const void* data, std::size_t bytes);
    bool read(std::uint64_t offset, void* data, std::size_t bytes) const;

 private:
    std::intptr_t handle_ = -1;  // of the system: a number, or on Windows a pointer
};

}  // namespace anytimebn
