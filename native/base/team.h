// Threads that stay for many short rounds of work: to start them anew for each would take longer
// than a round.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace anytimebn {

class Team {
 public:
    // As many threads as wanted, the caller's among them; fewer where the system refuses them.
    explicit Team(std::size_t threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    // Calls body(task) for the tasks 0 .. count-1, each by whoever is free next, and returns when
    // all are done. The first exception of any task is rethrown here; tasks that nobody has begun
    // by then are left out.
    void run(std::size_t count, const std::function<void(std::size_t task)>& body);

 private:
    void help();
    void work();

    std::vector<std::thread> helpers_;
    const std::function<void(std::size_t)>* body_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint32_t> round_{0};    // another number: there is work
    std::atomic<std::uint32_t> working_{0};  // helpers that have not ended this round
    std::atomic<bool> over_{false};
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
};

}  // namespace anytimebn
