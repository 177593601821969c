// Everything a user can choose by name registers itself beside its code: the command line, the
// documentation, the error messages and the common tests all read this one list.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace anytimebn {

struct Description {
    std::string name;
    std::string summary;
    std::string paper;
};

template <class Factory>
class Registry {
 public:
    struct Entry {
        Description description;
        Factory make;
    };
    static std::map<std::string, Entry>& entries() {
        static std::map<std::string, Entry> all;
        return all;
    }
    static const Entry& find(const std::string& name) {
        const auto found = entries().find(name);
        if (found == entries().end()) throw std::invalid_argument("unknown name: " + name);
        return found->second;
    }
    Registry(Description description, Factory make) {
        const std::string name = description.name;
        entries().emplace(name, Entry{std::move(description), std::move(make)});
    }
};

}  // namespace anytimebn
