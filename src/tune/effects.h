// Which knobs of a measured space mattered: pure.
#pragma once
#include <span>
#include <string>
#include <utility>

namespace explog::tune {

// How much of the variance of log time the values of one knob explain alone, 0..1: the variance between the means of
// its values over that of all rows (eta squared, Fisher 1925). `rows`: a value of the knob, and milliseconds.
double variance_share(std::span<const std::pair<std::string, double>> rows);

}  // namespace explog::tune
