// Room for many small arrays of plain values that are all given back at once: millions of them take
// no longer than the blocks that they lie in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace anytimebn {

class Arena {
 public:
    // Its values are not set.
    template <class T>
    T* take(std::size_t count) {
        static_assert(std::is_trivial_v<T> && alignof(T) <= sizeof(Word));
        const std::size_t words = (count * sizeof(T) + sizeof(Word) - 1) / sizeof(Word);
        if (words > left_) add_block(words);
        Word* const first = next_;
        next_ += words;
        left_ -= words;
        return reinterpret_cast<T*>(first);
    }
    void clear() {
        blocks_.clear();
        next_ = nullptr;
        left_ = bytes_ = 0;
    }
    std::uint64_t memory_bytes() const { return bytes_; }

 private:
    using Word = std::uint64_t;
    static constexpr std::size_t fewest_words = 64, most_words = std::size_t{1} << 17;

    // As large as all before, so that little room is wasted and blocks stay few.
    void add_block(std::size_t words) {
        const std::size_t all = bytes_ / sizeof(Word);
        words = std::max(words, std::clamp(all, fewest_words, most_words));
        blocks_.emplace_back(new Word[words]);
        next_ = blocks_.back().get();
        left_ = words;
        bytes_ += words * sizeof(Word);
    }

    std::vector<std::unique_ptr<Word[]>> blocks_;
    Word* next_ = nullptr;
    std::size_t left_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace anytimebn
