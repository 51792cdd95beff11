// Draws the runs of a page over time so that they can be zoomed and read value by value. It reads the
// attributes of the page's .chart elements and nothing else, writes texts as texts, and leaves the
// pictures below to paper and to browsers without scripts.
(function () {
  'use strict';

  var day = 86400;

  // As few digits as the figures of the page have.
  function digits(value) {
    if (value >= 1000) return Math.round(value).toLocaleString('en-US');
    return String(Number(value.toPrecision(3)));
  }

  function timeText(ns) {
    if (ns >= 1e9) return digits(ns / 1e9) + ' s';
    if (ns >= 1e6) return digits(ns / 1e6) + ' ms';
    if (ns >= 1e3) return digits(ns / 1e3) + ' us';
    return digits(ns) + ' ns';
  }

  function clockText(seconds) {
    if (seconds < 120) return Number(seconds.toFixed(1)) + ' s';
    if (seconds < 7200) return Number((seconds / 60).toFixed(1)) + ' min';
    if (seconds < 4 * day) return Number((seconds / 3600).toFixed(2)) + ' h';
    return Number((seconds / day).toFixed(2)) + ' d';
  }

  // At round minutes, hours and days.
  function timeTicks(from, to, pixels) {
    var steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600,
      6 * 3600, 12 * 3600, day, 2 * day, 5 * day, 10 * day, 30 * day, 100 * day];
    var most = Math.max(1, pixels / 80);
    var step = steps.find(function (one) { return (to - from) / one <= most; }) || 365 * day;
    var ticks = [];
    for (var i = Math.ceil(from / step); i * step <= to; i++) {
      var at = i * step;
      ticks.push({ v: at, label: step >= day ? at / day + ' d' : clockText(at) });
    }
    return ticks;
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function add(parent, className) {
    var element = document.createElement('div');
    element.className = className;
    parent.appendChild(element);
    return element;
  }

  // [[begin, IOPS, p99, slowest], ...]; the last bucket ends with the run.
  function rowsOf(chart) {
    var rows = chart.dataset.rows.split(';').map(function (row) {
      return row.split(',').map(function (cell) { return cell === '' ? null : Number(cell); });
    });
    return rows.concat([[Number(chart.dataset.length)].concat(rows[rows.length - 1].slice(1))]);
  }

  function columns(rows, wanted) {
    return rows.map(function (row) {
      return wanted.map(function (column) { return row[column]; });
    });
  }

  // Numbered lines, as in the list below the chart.
  function drawEvents(events, canvas, area, graph) {
    canvas.save();
    canvas.strokeStyle = canvas.fillStyle = colour('--event');
    canvas.font = '12px system-ui, sans-serif';
    canvas.setLineDash([3, 3]);
    events.forEach(function (at, index) {
      var x = graph.toDomXCoord(at);
      if (x < area.x || x > area.x + area.w) return;
      canvas.beginPath();
      canvas.moveTo(x, area.y);
      canvas.lineTo(x, area.y + area.h);
      canvas.stroke();
      canvas.fillText(String(index + 1), x + 3, area.y + 11);
    });
    canvas.restore();
  }

  function colours() {
    return {
      throughput: { colors: [colour('--c0')], axisLineColor: colour('--line'), gridLineColor: colour('--line') },
      latency: { colors: [colour('--c0'), colour('--c1')], axisLineColor: colour('--line'),
        gridLineColor: colour('--line') }
    };
  }

  function build(chart) {
    var rows = rowsOf(chart);
    var events = chart.dataset.events === '' ? [] : chart.dataset.events.split(',').map(Number);
    var length = Number(chart.dataset.length);
    chart.hidden = false;
    chart.closest('figure').classList.add('live');
    var places = [add(chart, 'graph short'), add(chart, 'graph')];
    var readout = add(chart, 'readout soft');
    readout.setAttribute('role', 'status');
    var graphs = [];
    var row = -1;
    var linking = false;
    var hint = 'Drag to zoom, double-click for all. Keys: arrows, + and -, 0 for all.';
    readout.textContent = hint;

    function say(index) {
      row = index;
      var here = rows[index];
      var parts = [clockText(here[0]), digits(here[1]) + ' operations a second'];
      if (here[2] !== null) parts.push('p99 ' + timeText(here[2]));
      if (here[3] !== null) parts.push('slowest ' + timeText(here[3]));
      readout.textContent = parts.join(', ');
    }

    function choose(index) {
      say(Math.max(0, Math.min(rows.length - 2, index)));
      graphs.forEach(function (graph) { graph.setSelection(row); });
    }

    function show(from, to) {
      graphs[0].updateOptions({ dateWindow: [Math.max(0, from), Math.min(length, to)] });
    }

    function options(more) {
      return Object.assign({
        legend: 'never', stepPlot: true, strokeWidth: 2, axisLabelFontSize: 12, xRangePad: 0, yRangePad: 6,
        drawGapEdgePoints: true, labelsKMB: false,
        highlightCallback: function (event, x, points, index) { say(index); },
        unhighlightCallback: function () { readout.textContent = hint; },
        underlayCallback: function (canvas, area, graph) { drawEvents(events, canvas, area, graph); },
        drawCallback: function (drawn, first) {
          if (first || linking) return;
          linking = true;
          graphs.forEach(function (other) {
            if (other !== drawn) other.updateOptions({ dateWindow: drawn.xAxisRange() });
          });
          linking = false;
        }
      }, more);
    }

    function axes(valueText) {
      return {
        x: { ticker: timeTicks, valueFormatter: clockText, axisLabelWidth: 70 },
        y: { axisLabelFormatter: valueText, valueFormatter: valueText, axisLabelWidth: 64 }
      };
    }

    var looks = colours();
    graphs.push(new Dygraph(places[0], columns(rows, [0, 1]), options(Object.assign({
      labels: ['time', 'operations a second'], fillGraph: true, includeZero: true, axes: axes(digits),
      title: 'operations a second', titleHeight: 18
    }, looks.throughput))));
    graphs.push(new Dygraph(places[1], columns(rows, [0, 2, 3]), options(Object.assign({
      labels: ['time', 'p99', 'slowest'], logscale: true, axes: axes(timeText),
      series: { slowest: { strokePattern: [5, 3] } },
      title: 'response time: p99 of a second (solid), slowest operation (dashed)', titleHeight: 18
    }, looks.latency))));

    chart.tabIndex = 0;
    chart.setAttribute('role', 'application');
    chart.setAttribute('aria-label', 'Throughput and response time over time. Left and right move, ' +
      'plus and minus zoom, 0 shows all.');
    chart.addEventListener('keydown', function (event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      var range = graphs[0].xAxisRange();
      var half = (range[1] - range[0]) / 2;
      var middle = row >= 0 ? rows[row][0] : range[0] + half;
      var step = event.shiftKey ? 10 : 1;
      if (event.key === 'ArrowRight') choose(row + step);
      else if (event.key === 'ArrowLeft') choose(row - step);
      else if (event.key === 'Home') choose(0);
      else if (event.key === 'End') choose(rows.length - 2);
      else if (event.key === '+' || event.key === '=') show(middle - half / 2, middle + half / 2);
      else if (event.key === '-') show(middle - 2 * half, middle + 2 * half);
      else if (event.key === '0' || event.key === 'Escape') show(0, length);
      else return;
      event.preventDefault();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
      var fresh = colours();
      graphs[0].updateOptions(fresh.throughput);
      graphs[1].updateOptions(fresh.latency);
    });
  }

  // A chart in a folded part has no width before it is unfolded.
  document.querySelectorAll('.chart').forEach(function (chart) {
    var folded = chart.closest('details');
    if (!folded || folded.open) {
      build(chart);
      return;
    }
    folded.addEventListener('toggle', function () { build(chart); }, { once: true });
  });
})();
