#include "run/disk_space.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace anytimebn {

bool DiskSpace::take(std::uint64_t bytes) {
    if (!enabled() || !may_write()) return false;
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
        if (bytes > bytes_ || used > bytes_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < used + bytes &&
           !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
    }
    return true;
}

bool DiskSpace::may_write() {
    return refuse_at_ == 0 || writes_.fetch_add(1, std::memory_order_relaxed) + 1 != refuse_at_;
}

DiskFile::~DiskFile() {
    if (descriptor_ >= 0) close(descriptor_);
    space_.give_back(size_);
}

bool DiskFile::open() {
    if (descriptor_ >= 0) return true;
#if defined(O_TMPFILE)
    descriptor_ = ::open(space_.folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (descriptor_ < 0) {  // file systems without such files
        std::string name = space_.folder() + "/anytimebn-XXXXXX";
        descriptor_ = mkstemp(name.data());
        if (descriptor_ < 0) return false;
        fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
        unlink(name.c_str());
    }
    return true;
}

bool DiskFile::append(const void* data, std::size_t bytes) {
    if (!space_.take(bytes)) return false;
    if (!open() || !write_at(size_, data, bytes)) {
        space_.give_back(bytes);
        return false;
    }
    size_ += bytes;
    return true;
}

bool DiskFile::extend(std::uint64_t bytes) {
    if (!open() || !space_.take(bytes)) return false;
    size_ += bytes;
    return true;
}

bool DiskFile::write(std::uint64_t offset, const void* data, std::size_t bytes) {
    return space_.may_write() && write_at(offset, data, bytes);
}

bool DiskFile::write_at(std::uint64_t offset, const void* data, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t written = pwrite(descriptor_, static_cast<const char*>(data) + done,
                                       bytes - done, static_cast<off_t>(offset + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        done += static_cast<std::size_t>(written);
    }
    return true;
}

void DiskFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t found = pread(descriptor_, static_cast<char*>(data) + done, bytes - done,
                                    static_cast<off_t>(offset + done));
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) throw DiskFailed();
        done += static_cast<std::size_t>(found);
    }
}

}  // namespace anytimebn
