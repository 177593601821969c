// Vectors that become numpy arrays without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace anytimebn {

template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> to_array(std::vector<T>&& values) {
    auto* owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(owned->data(), {owned->size()},
                                                                    owner);
}

}  // namespace anytimebn
