#include "run/algorithm.h"

namespace anytimebn {

SearchContext SearchContext::for_algorithm(const std::string& name) const {
    SearchContext own = *this;
    own.parameters =
        Parameters(name, AlgorithmRegistry::find(name).make.parameters, options.parameters);
    return own;
}

void run_algorithm(const std::string& name, const SearchContext& context) {
    SearchContext own = context.for_algorithm(name);
    AlgorithmRegistry::find(name).make.run(own);
}

}  // namespace anytimebn
