// Everything a user can choose by name registers itself beside its code: the command line, the
// documentation, the error messages and the common tests all read this one list.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

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

    // Entries are constants of their files and made before `main`, where an exception would end the
    // process without a word: a name that is taken already is remembered, and told to the first who
    // looks anything up.
    Registry(Description description, Factory make) {
        const std::string name = description.name;
        const bool added =
            all().emplace(name, Entry{std::move(description), std::move(make)}).second;
        if (!added) registered_twice() = name;
    }

    // Throws std::logic_error if two entries have the same name.
    static const std::map<std::string, Entry>& entries() {
        if (!registered_twice().empty())
            throw std::logic_error("registered twice: " + registered_twice());
        return all();
    }
    static const Entry& find(const std::string& name) {
        const auto found = entries().find(name);
        if (found == entries().end()) throw std::invalid_argument("unknown name: " + name);
        return found->second;
    }

 private:
    static std::map<std::string, Entry>& all() {
        static std::map<std::string, Entry> entries;
        return entries;
    }
    static std::string& registered_twice() {
        static std::string name;
        return name;
    }
};

}  // namespace anytimebn
