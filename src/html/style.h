// The looks of the page: light or dark as the browser asks for, and on paper.
#pragma once

#include <string_view>

namespace radosload::html {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;
--c0:#0550ae;--c1:#bc4c00;--c2:#116329;--c3:#8250df;--c4:#a40e26;--c5:#4d2d00;--event:#cf222e;
--good:#116329;--bad:#a40e26}
@media(prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--soft:#9aa4af;--line:#30363d;
--c0:#6cb6ff;--c1:#f0883e;--c2:#56d364;--c3:#d2a8ff;--c4:#ff7b72;--c5:#e3b341;--event:#ff7b72;
--good:#56d364;--bad:#ff7b72}}
@media print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#bbb;--c0:#0550ae;
--c1:#bc4c00;--c2:#116329;--c3:#8250df;--c4:#a40e26;--c5:#4d2d00;--event:#cf222e;--good:#116329;
--bad:#a40e26}section,figure{break-inside:avoid}.wide{overflow:visible}svg{min-width:0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--back);color:var(--text);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.soft,figcaption{color:var(--soft)}figure{margin:0}
.wide{overflow-x:auto;margin-bottom:.75rem}.wide:focus{outline:2px solid var(--c0)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;
white-space:nowrap}
th:first-child,table.words td,.left{text-align:left}table.words td{overflow-wrap:anywhere;white-space:normal}
caption{text-align:left;color:var(--soft);padding:.5rem 0 .25rem}
pre{font-size:.85rem;line-height:1.35;white-space:pre-wrap;overflow-wrap:anywhere}
.verdict{font-size:1.1rem}ul.verdict li{margin:.35rem 0}
.clean{color:var(--good)}.contaminated,.void{color:var(--bad)}
svg{display:block;width:100%;min-width:36rem;height:auto;font:12px system-ui,sans-serif}
svg text{fill:var(--soft)}.grid{stroke:var(--line)}.event{stroke:var(--event);stroke-dasharray:3 3}
polyline,path{fill:none;stroke-width:2}
.osd{stroke:var(--soft);stroke-width:1;opacity:.5}.area{fill:var(--c0);fill-opacity:.35;stroke:none}
.series0{stroke:var(--c0)}.series1{stroke:var(--c1);stroke-dasharray:5 3}.series2{stroke:var(--c2)}
.series3{stroke:var(--c3)}.series4{stroke:var(--c4)}.series5{stroke:var(--c5)}
svg .whole{stroke-dasharray:none}svg .dash1{stroke-dasharray:7 3}svg .dash2{stroke-dasharray:2 3}
.spread{stroke-width:1}.dot{fill:var(--back);stroke-width:2}
.band{fill:var(--soft);fill-opacity:.15}.one{stroke:var(--text)}
svg text.strong{fill:var(--text);font-weight:600}svg text.knee{fill:var(--text)}
.faster{stroke:var(--good)}.slower{stroke:var(--bad)}.equivalent{stroke:var(--c0)}
.inconclusive{stroke:var(--soft)}.faster.mark,.slower.mark,.equivalent.mark,.inconclusive.mark{
stroke:none;fill:currentColor}
.faster.mark{color:var(--good)}.slower.mark{color:var(--bad)}.equivalent.mark{color:var(--c0)}
.inconclusive.mark{color:var(--soft)}
.graph{height:210px;width:100%}.graph.short{height:160px;margin-bottom:.5rem}
.chart:focus-visible{outline:2px solid var(--c0);outline-offset:4px}
.dygraph-axis-label{color:var(--soft)}
.dygraph-title{font-weight:400;font-size:12px;text-align:left;color:var(--soft)}
@media screen{.live .wide{display:none}}@media print{.live .chart{display:none}}
details{margin:.5rem 0}summary{cursor:pointer}summary:focus-visible{outline:2px solid var(--c0)}
tr.knee th,tr.knee td{background:color-mix(in srgb,var(--c0) 12%,var(--back))}
.graded-clean td:last-child{color:var(--good)}
.graded-contaminated td:last-child,.graded-void td:last-child{color:var(--bad)}
.heat0{fill:#30123b}.heat1{fill:#4145ab}.heat2{fill:#2f80d0}.heat3{fill:#1fb7b0}.heat4{fill:#8fd44a}
.heat5{fill:#f0c52f}.heat6{fill:#f07a1f}.heat7{fill:#d92b1c}
)css";

}  // namespace radosload::html
