#include "run/budget.h"

namespace anytimebn {

const char* status_name(Status status) {
    switch (status) {
        case Status::running: return "running";
        case Status::optimal: return "optimal";
        case Status::gap: return "gap";
        case Status::time: return "time";
        case Status::memory: return "memory";
        case Status::disk: return "disk";
        case Status::expansions: return "expansions";
        case Status::interrupted: return "interrupted";
        case Status::finished: return "finished";
    }
    return "unknown";
}

}  // namespace anytimebn
