// The disk as a budget: room in one folder, asked for before it is written to. Files have no name
// there from the moment they are made, so that nothing is left behind however the process ends.
//
// For any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "base/nameless_file.h"

namespace anytimebn {

// What was written could not be read again.
struct DiskFailed : std::exception {
    const char* what() const noexcept override { return "a temporary file cannot be read"; }
};

class DiskSpace {
 public:
    // Without a folder there is no room at all. For tests, the `refuse_at`-th write fails.
    DiskSpace(std::string folder, std::uint64_t bytes, std::uint64_t refuse_at)
        : folder_(std::move(folder)), bytes_(bytes), refuse_at_(refuse_at) {}

    bool enabled() const { return !folder_.empty(); }
    const std::string& folder() const { return folder_; }
    std::uint64_t limit_bytes() const { return enabled() ? bytes_ : 0; }
    std::uint64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }
    std::uint64_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }

    bool take(std::uint64_t bytes);
    // False where a test lets a write fail.
    bool may_write();
    void give_back(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
    const std::string folder_;
    const std::uint64_t bytes_, refuse_at_;
    std::atomic<std::uint64_t> used_{0}, peak_{0}, writes_{0};
};

// A file that grows at its end; it is gone with this object.
class DiskFile {
 public:
    explicit DiskFile(DiskSpace& space) : space_(space) {}
    DiskFile(const DiskFile&) = delete;
    DiskFile& operator=(const DiskFile&) = delete;
    ~DiskFile();

    // False if there is no room: the file then is as before.
    bool append(const void* data, std::size_t bytes);
    // The same without data, for those that come in any order: from any thread, and once each.
    bool extend(std::uint64_t bytes);
    bool write(std::uint64_t offset, const void* data, std::size_t bytes);
    // From any thread, what was written before; throws DiskFailed.
    void read(std::uint64_t offset, void* data, std::size_t bytes) const;
    std::uint64_t bytes() const { return size_; }

 private:
    DiskSpace& space_;
    NamelessFile file_;
    std::uint64_t size_ = 0;
};

}  // namespace anytimebn
