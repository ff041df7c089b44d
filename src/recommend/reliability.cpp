#include "recommend/reliability.h"

#include "model/vocabulary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "recommend/ledger.h"
#include "recommend/prior.h"
#include "recommend/ranking_metrics.h"

namespace explog::recommend {
namespace {

constexpr std::size_t fewest = 100;  // outcomes a curve can be fitted to
constexpr double ridge = 1;          // pulls toward a = 0, b = 1

double logit(double p) {
  p = std::clamp(p, 1e-6, 1 - 1e-6);
  return std::log(p / (1 - p));
}

// Newton's steps on the penalised log-likelihood, which is concave: they settle within a few.
std::optional<Recalibration> fitted(const std::vector<Forecast>& outcomes) {
  if (outcomes.size() < fewest / 2) return std::nullopt;
  Recalibration r;
  for (int step = 0; step < 25; ++step) {
    double ga = -ridge * r.a, gb = -ridge * (r.b - 1), haa = ridge, hab = 0, hbb = ridge;
    for (const Forecast& f : outcomes) {
      double x = logit(f.p), q = r(f.p), error = (f.success ? 1 : 0) - q, w = q * (1 - q);
      ga += error, gb += error * x;
      haa += w, hab += w * x, hbb += w * x * x;
    }
    double determinant = haa * hbb - hab * hab;
    double da = (hbb * ga - hab * gb) / determinant, db = (haa * gb - hab * ga) / determinant;
    r.a += da, r.b += db;
    if (std::abs(da) + std::abs(db) < 1e-12) break;
  }
  return r.b > 0 ? std::optional(r) : std::nullopt;
}

double ece_of(const std::vector<Forecast>& outcomes) {
  std::vector<double> p;
  std::vector<bool> happened;
  for (const Forecast& f : outcomes) p.push_back(f.p), happened.push_back(f.success);
  return calibration_error(p, happened);
}

// Every second outcome under the curve through the others, both ways.
double held_out_ece(const std::vector<Forecast>& outcomes) {
  std::array<std::vector<Forecast>, 2> halves;
  for (std::size_t i = 0; i < outcomes.size(); ++i) halves[i % 2].push_back(outcomes[i]);
  std::vector<Forecast> corrected;
  for (int half : {0, 1}) {
    Recalibration r = fitted(halves[1 - half]).value_or(Recalibration{});
    for (const Forecast& f : halves[half]) corrected.push_back({r(f.p), f.success});
  }
  return ece_of(corrected);
}

// Answers from the records up to some point in time.
class Past {
 public:
  void learn(const Experience& e) {
    for (Cell& cell : cells_of(e)) {
      if (cell.strategy.empty()) continue;
      families_[cell.family].push_back(std::move(cell));
    }
  }
  void settle() { ledgers_.clear(); }
  double probability(const Experience& e, const Playbook& playbook) {
    Question c = question_of(e);
    auto& ledger = ledgers_[c.family + "\n" + c.arch + "\n" + c.backend];
    if (!ledger)
      ledger = std::make_unique<Ledger>(families_[c.family], c.arch, c.backend,
                                        [&](const std::string& name) { return playbook.resolve(name); });
    std::string strategy = playbook.resolve(e.strategy);
    Prior prior(&playbook, c, *ledger);
    return ledger->account(strategy, c, prior.of(strategy), prior.believed(strategy)).p;
  }

 private:
  std::map<std::string, std::vector<Cell>> families_;
  std::map<std::string, std::unique_ptr<Ledger>> ledgers_;
};

}  // namespace

double Recalibration::operator()(double p) const { return 1 / (1 + std::exp(-(a + b * logit(p)))); }

std::vector<Forecast> forecasts(const std::vector<Dated>& records, const Playbook& playbook,
                                std::size_t newest) {
  std::vector<Forecast> outcomes;
  Past past;
  std::size_t first = records.size() - std::min(newest, records.size());
  std::size_t renew = std::max<std::size_t>(1, newest / 10), pending = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Experience& e = records[i].record;
    if (e.strategy.empty()) continue;
    if (i >= first) {
      if ((i - first) / renew != pending) pending = (i - first) / renew, past.settle();
      outcomes.push_back({past.probability(e, playbook), e.outcome == Outcome::success});
    }
    past.learn(e);
  }
  return outcomes;
}

Reliability reliability(const std::vector<Forecast>& outcomes) {
  Reliability r;
  r.n = outcomes.size();
  if (r.n == 0) return r;
  double success = 0, n = static_cast<double>(r.n);
  for (const Forecast& f : outcomes) {
    Reliability::Bin& bin = r.bins[static_cast<std::size_t>(std::clamp(f.p * 10, 0.0, 9.0))];
    ++bin.n, bin.success += f.success, bin.mean_p += f.p;
    r.brier += (f.p - f.success) * (f.p - f.success) / n;
    success += f.success;
  }
  for (Reliability::Bin& bin : r.bins) bin.mean_p /= std::max(1.0, static_cast<double>(bin.n));
  r.base_brier = success / n * (1 - success / n);
  r.ece = ece_of(outcomes);
  if (r.n >= fewest) r.fit = fitted(outcomes);
  r.fitted_ece = r.fit ? held_out_ece(outcomes) : r.ece;
  return r;
}

bool needs_recalibration(const Reliability& r) {
  return r.fit && r.ece > tolerable_ece && r.fitted_ece < r.ece;
}

}  // namespace explog::recommend
