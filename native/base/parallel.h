// Tasks 0 .. count-1 shared out to `jobs` threads, each task to whoever is free next.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace anytimebn {

// Calls body(task, worker). The first exception of any task ends the loop and is rethrown here.
template <class Body>
void parallel_for(std::size_t count, std::size_t jobs, Body&& body) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto work = [&](std::size_t worker) {
        try {
            for (std::size_t task; (task = next.fetch_add(1)) < count;) body(task, worker);
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next.store(count);
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t worker = 1; worker < std::min(jobs, count); ++worker)
        helpers.emplace_back(work, worker);
    work(0);
    for (auto& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace anytimebn
