// The result of `radosload replicas` as text and as JSON. Pure.
#pragma once

#include <string>
#include <vector>

#include "study/replica_study.h"

namespace radosload::views {

using study::ReplicaStudy;

std::string replicas_text(const ReplicaStudy& study);

// The result in sentences.
std::vector<std::string> replicas_verdict(const ReplicaStudy& study);

// {schema: "radosload.replicas/1", run, pool, measured_s, grade: {value, reasons}, warnings:
// [TEXT],
//  rules: {level, least_effect}, writes, pgs, pool_pgs, set_size, p99_us, lost,
//  left_out: {moved, incomplete, unknown},
//  osds: [{ids: [ID], hosts: [NAME], classes: [NAME], drives: [MODEL], pgs, writes,
//          effect: null, or {factor, low, high}, p99_us_without, verdict, peers}],
//  peers: [[ID]], slow: [ID], text: [SENTENCE]}
// `ids` has several that no acting set tells apart. `effect` is the factor on a write's latency
// when all of `ids` are in its acting set in place of as many average OSDs of `peers` (their
// geometric mean, slow and fast ones left out). `peers` is the place, in the list of that name, of
// those it is compared with. Verdicts: "slow", "fast", "like the others", "inconclusive", "too few
// PGs", "not identifiable". What is not known is null, such as a p99 among lost writes. Those count
// in `writes`, with the time they had waited.
std::string replicas_json(const ReplicaStudy& study);

}  // namespace radosload::views
