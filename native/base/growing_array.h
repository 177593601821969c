// An array of plain values that grows. A large one grows in place: it reserves address space for
// all it may ever hold and takes memory only for what it does hold: growing copies nothing and
// needs no second block. Large pages are asked for: random access to gigabytes of small ones misses
// the address cache each time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

namespace anytimebn {

// Of all arrays. Where many threads have many of them, not all can have addresses in plenty: a
// process has 2^47.
inline std::atomic<std::uint64_t> reserved_addresses{0};
inline constexpr std::uint64_t most_addresses = std::uint64_t{1} << 46;

template <class T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T>);

 public:
    GrowingArray() = default;
    GrowingArray(GrowingArray&& other) noexcept { swap(other); }
    GrowingArray& operator=(GrowingArray&& other) noexcept {
        swap(other);
        return *this;
    }
    GrowingArray(const GrowingArray&) = delete;
    GrowingArray& operator=(const GrowingArray&) = delete;
    ~GrowingArray() { release(); }

    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T* data() { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& back() { return data_[size_ - 1]; }
    // Memory once touched stays with the process until it is released.
    std::uint64_t memory_bytes() const { return std::max(size_, most_) * sizeof(T); }

    void push_back(const T& value) {
        if (size_ == capacity_) reserve(capacity_ < 16 ? 16 : capacity_ + capacity_ / 2);
        data_[size_++] = value;
    }
    void pop_back() {
        most_ = std::max(most_, size_);
        --size_;
    }
    void resize(std::size_t size) {  // new values are not set
        reserve(size);
        size_ = size;
    }
    void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        GrowingArray larger;
        larger.allocate(capacity);
        if (size_ > 0) std::memcpy(static_cast<void*>(larger.data_), data_, size_ * sizeof(T));
        larger.size_ = size_;
        swap(larger);
    }
    void release() {
#if defined(__linux__)
        if (mapped_bytes_ > 0) {
            munmap(data_, mapped_bytes_);
            reserved_addresses -= mapped_bytes_;
        }
#endif
        if (mapped_bytes_ == 0) release_aligned(data_);
        data_ = nullptr;
        size_ = most_ = capacity_ = mapped_bytes_ = 0;
    }

 private:
    // What was given back to the allocator stays with the process, and more of it with each thread:
    // it gets none but the smallest.
    static constexpr std::size_t small_bytes = std::size_t{256} << 10;
    static constexpr std::size_t large_bytes = std::size_t{4} << 20;
    static constexpr std::size_t reserved_bytes = std::size_t{64} << 30;

    void allocate(std::size_t capacity) {
        const std::size_t bytes = capacity * sizeof(T);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (bytes > large_bytes && bytes <= reserved_bytes && map(reserved_bytes)) {
            madvise(data_, reserved_bytes, MADV_HUGEPAGE);
            return;
        }
        if (bytes > small_bytes && bytes <= large_bytes && map(bytes)) return;
#endif
        constexpr std::size_t alignment = alignof(T) < 64 ? 64 : alignof(T);
        data_ =
            static_cast<T*>(aligned(alignment, (bytes + alignment - 1) / alignment * alignment));
        if (data_ == nullptr) throw std::bad_alloc();
        capacity_ = capacity;
    }
#if defined(__linux__)
    bool map(std::size_t bytes) {
        if (reserved_addresses.fetch_add(bytes) + bytes > most_addresses) {
            reserved_addresses -= bytes;
            return false;
        }
        void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED) {
            reserved_addresses -= bytes;
            return false;
        }
        data_ = static_cast<T*>(mapped);
        mapped_bytes_ = bytes;
        capacity_ = bytes / sizeof(T);
        return true;
    }
#endif
#if defined(_WIN32)
    static void* aligned(std::size_t alignment, std::size_t bytes) {
        return _aligned_malloc(bytes, alignment);
    }
    static void release_aligned(void* data) { _aligned_free(data); }
#else
    static void* aligned(std::size_t alignment, std::size_t bytes) {
        return std::aligned_alloc(alignment, bytes);
    }
    static void release_aligned(void* data) { std::free(data); }
#endif
    void swap(GrowingArray& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(most_, other.most_);
        std::swap(capacity_, other.capacity_);
        std::swap(mapped_bytes_, other.mapped_bytes_);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0, most_ = 0, capacity_ = 0, mapped_bytes_ = 0;
};

}  // namespace anytimebn
