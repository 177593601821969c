// Numbers that whatever registers itself can take, each declared once: name, default, range, help.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace anytimebn {

struct Parameter {
    std::string name;
    double otherwise;  // its default
    double lowest;
    double highest;
    std::string summary;
    bool whole = true;  // or any number
};

// What one algorithm, heuristic or score runs with: as the user set it, else as it declares it.
// What others declare is not there, so that one that delegates to another resolves anew for it.
class Parameters {
 public:
    Parameters() = default;
    Parameters(std::string owner, const std::vector<Parameter>& declared,
               const std::map<std::string, double>& given)
        : owner_(std::move(owner)) {
        for (const Parameter& parameter : declared) {
            const auto found = given.find(parameter.name);
            values_[parameter.name] = found == given.end() ? parameter.otherwise : found->second;
        }
    }

    double operator[](const std::string& name) const {
        const auto found = values_.find(name);
        if (found == values_.end())
            throw std::logic_error(owner_ + " declares no parameter " + name);
        return found->second;
    }

 private:
    std::string owner_;
    std::map<std::string, double> values_;
};

}  // namespace anytimebn
