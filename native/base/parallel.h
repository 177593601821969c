// Tasks 0 .. count-1 shared out to `jobs` threads, each task to whoever is free next.
#pragma once

#include <cstddef>
#include <functional>

namespace anytimebn {

// Calls body(task, worker). Where the system refuses a thread, there are fewer. The first exception
// of any task ends the loop and is rethrown here.
void parallel_for(std::size_t count, std::size_t jobs,
                  const std::function<void(std::size_t task, std::size_t worker)>& body);

}  // namespace anytimebn
