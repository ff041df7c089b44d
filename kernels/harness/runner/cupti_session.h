// One collection of counters by CUPTI's Range Profiler.
#pragma once
#include <cuda.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>

#include "cupti_calls.h"

namespace explog::profiler {

constexpr std::size_t most_ranges = 66;  // launches: those of a call, and the flush before it

// The side that collects: on from its construction, also when work() throws, to its end.
class Session {
 public:
  Session(const Cupti& cupti, CUcontext context) : cupti_(cupti) {
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_Enable_Params);
    p.ctx = context;
    cupti.call("cuptiRangeProfilerEnable", p);
    object_ = p.pRangeProfilerObject;
  }
  ~Session() {
    auto stop = EXPLOG_SIZED(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = object_;
    if (started_) cupti_.try_call("cuptiRangeProfilerStop", stop);
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_Disable_Params);
    p.pRangeProfilerObject = object_;
    cupti_.try_call("cuptiRangeProfilerDisable", p);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void configure(const Bytes& config, Names names) {
    auto size = EXPLOG_SIZED(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = most_ranges;
    size.maxNumRangeTreeNodes = most_ranges;
    cupti_.call("cuptiRangeProfilerGetCounterDataSize", size);
    counters_.resize(size.counterDataSize);
    auto image = EXPLOG_SIZED(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    image.pRangeProfilerObject = object_;
    image.counterDataSize = counters_.size();
    image.pCounterData = counters_.data();
    cupti_.call("cuptiRangeProfilerCounterDataImageInitialize", image);
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_SetConfig_Params);
    p.pRangeProfilerObject = object_;
    p.configSize = config.size();
    p.pConfig = config.data();
    p.counterDataImageSize = counters_.size();
    p.pCounterDataImage = counters_.data();
    p.range = CUPTI_AutoRange;        // each kernel is one
    p.replayMode = CUPTI_UserReplay;  // CUPTI's own would put back memory, but leave the caches warm
    p.maxRangesPerPass = most_ranges;
    p.numNestingLevels = p.minNestingLevel = p.targetNestingLevel = 1;
    cupti_.call("cuptiRangeProfilerSetConfig", p);
  }
  void start() {
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_Start_Params);
    p.pRangeProfilerObject = object_;
    cupti_.call("cuptiRangeProfilerStart", p);
    started_ = true;
  }
  // Whether that was the last pass.
  bool stop() {
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_Stop_Params);
    p.pRangeProfilerObject = object_;
    started_ = false;
    cupti_.call("cuptiRangeProfilerStop", p);
    return p.isAllPassSubmitted != 0;
  }
  const Bytes& decode() {
    auto p = EXPLOG_SIZED(CUpti_RangeProfiler_DecodeData_Params);
    p.pRangeProfilerObject = object_;
    cupti_.call("cuptiRangeProfilerDecodeData", p);
    return counters_;
  }

 private:
  const Cupti& cupti_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  Bytes counters_;
  bool started_ = false;
};

}  // namespace explog::profiler
