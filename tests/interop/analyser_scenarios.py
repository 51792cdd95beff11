"""Runs on the simulated cluster whose records the analyser recomputes. Each has a name, the simulated
cluster, the words of the run, and a figure of the record that is not zero if the run is what its name
says."""

CLOSED = [
    ("closed loop", "latency=exp:5ms,osds=3", "--pattern randread4k,qd=8 --time 3s", "drained/ops"),
    ("all at the same moments", "latency=const:2ms",
     "--pattern randrw4k,qd=6 --time 2s --warmup 1500ms --clients 3", "finished/ops"),
    ("slow osd, half a second at the end", "latency=lognormal:2ms:1.5,osds=4,slow=3:4",
     "--pattern randwrite4k,qd=16 --time 2500ms --warmup 500ms", "finished/ops"),
    ("many clients and osds", "latency=exp:50ms,osds=40",
     "--pattern randread4k,qd=300 --clients 300 --time 500ms --warmup 200ms", "finished/ops"),
    ("shorter than an operation", "latency=const:1s", "--pattern randread4k,qd=8 --time 50ms --warmup 0",
     "drained/ops"),
    ("nanoseconds", "latency=exp:500ns,osds=2", "--pattern randread4k,qd=1 --time 1ms --warmup 0",
     "finished/ops"),
    ("minutes for an operation", "latency=const:2m", "--pattern randread4k,qd=4 --time 5m --warmup 0",
     "finished/ops"),
    ("by operations", "latency=exp:5ms", "--pattern randread4k,qd=8 --ops 1000 --time 0", "finished/ops"),
    ("by bytes", "latency=exp:5ms", "--pattern randrw4k,qd=8 --bytes 2M --rate 200", "finished/ops"),
    ("real time", "latency=exp:5ms,threads=2", "--pattern randrw4k,qd=4 --time 300ms --warmup 100ms",
     "finished/ops"),
]

OPEN = [
    ("constant, parts of a nanosecond", "latency=const:10ms",
     "--pattern randread4k,qd=4 --rate 333,constant --time 3s --clients 3", "finished/ops"),
    ("poisson", "latency=exp:2ms,osds=3",
     "--pattern randread4k,qd=32 --rate 1500,poisson --time 2s --clients 4", "finished/ops"),
    ("overload, few in flight", "latency=const:10ms,osds=1,servers=2",
     "--pattern randread4k,qd=4 --rate 300 --time 10s --warmup 0", "response_us/at_least/p50"),
    ("overload, all in flight", "latency=const:10ms,osds=1,servers=2",
     "--pattern randread4k,qd=100000 --rate 300 --time 10s --warmup 0", "response_us/p99"),
    ("at the capacity", "latency=exp:10ms,servers=2,osds=2",
     "--pattern randrw4k,qd=64 --rate 400,poisson --time 4s --drain 200ms", "late"),
    ("until it is steady", "latency=exp:5ms", "--pattern randread4k,qd=4 --rate 50 --warmup auto --time 3s",
     "finished/ops"),
]

ERRORS = [
    ("few errors", "latency=exp:2ms,error=EIO:0.005", "--pattern randread4k,qd=8 --time 2s", "errors/EIO"),
    ("many errors of two kinds", "latency=exp:2ms,osds=3,error=EIO:0.3,error=ENOSPC:0.2",
     "--pattern randrw4k,qd=4 --time 2s", "errors/ENOSPC"),
    ("errors only", "latency=const:5ms,error=EIO:1", "--pattern randread4k,qd=4 --rate 100 --time 2s",
     "errors/EIO"),
    ("timed out and cancelled by the cluster", "latency=exp:2ms,error=ETIMEDOUT:0.05,error=ECANCELED:0.05",
     "--pattern randread4k,qd=8 --time 2s", "lost"),
    ("timeouts at a rate", "latency=exp:2ms,error=ETIMEDOUT:0.02,error=EAGAIN:0.05,osds=3",
     "--pattern randrw4k,qd=16 --rate 800,poisson --time 2s", "lost"),
    ("lost and misplaced writes", "latency=exp:5ms,lose=0.05,tear=0.05,misdirect=0.02,reorder=0.05",
     "--pattern rand,read=50,bs=8k,size=256k,object-size=64k,qd=4 --time 2s", "errors/LOST_WRITE"),
]

STALLS = [
    ("stall in the warm-up", "latency=exp:5ms,stall=500ms:1s",
     "--pattern randread4k,qd=8 --rate 300 --time 3s", "late"),
    ("backlog of the warm-up", "latency=exp:5ms,stall=2s:3500ms",
     "--pattern randread4k,qd=4096 --rate 200 --time 5s --warmup 5s", "finished/ops"),
    ("stall", "latency=const:1ms,stall=2s:1500ms", "--pattern randread4k,qd=16 --rate 500 --time 4s",
     "late"),
    ("stall of a closed loop", "latency=const:1ms,stall=6s:3s",
     "--pattern randread4k,qd=1 --time 10s --warmup 0", "finished/ops"),
    ("stall at the end", "latency=exp:5ms,stall=2500ms:2s", "--pattern randrw4k,qd=8 --time 3s",
     "drained/ops"),
    ("stall of an osd", "latency=exp:5ms,osds=4,stall=2s:1s:2",
     "--pattern randrw4k,qd=32 --rate 500 --time 4s", "late"),
    ("no drain", "latency=const:50ms", "--pattern randread4k,qd=64 --rate 100 --time 2s --drain 0",
     "cancelled"),
    ("short drain", "latency=const:5ms,stall=2s:10s",
     "--pattern randread4k,qd=64 --rate 100 --time 3s --drain 1s", "cancelled"),
    ("long drain", "latency=exp:5ms,stall=3s:3m", "--pattern randread4k,qd=8 --time 3s --drain 1h",
     "drained/ops"),
    ("stall longer than the drain", "latency=const:1ms,stall=3s:60s",
     "--pattern randrw4k,qd=8 --rate 50 --time 5s --warmup 0 --drain 30s", "cancelled"),
]

LOST = [
    ("lost and unanswered", "latency=exp:5ms,never=0.01,lost=0.02,osds=3",
     "--pattern randrw4k,qd=200 --rate 300 --time 3s --drain 2s", "response_us/at_least/max"),
    ("lost at each level", "latency=exp:1ms,osds=3,error=EIO:0.05,lost=0.01,stall=2s:200ms:1",
     "--pattern randrw4k,qd=16 --rate 500,poisson --time 5s --drain 1s", "response_us/at_least/p90"),
    ("unanswered, also in the warm-up", "latency=exp:5ms,never=0.001",
     "--pattern randread4k,qd=64 --time 1s --drain 1s", "lost"),
]

PAIRS = [
    ("flushes", "latency=exp:10ms", "--pattern randwrite4k,qd=8 --flush yes --time 3s", "drained/ops"),
    ("flushes in a stall", "latency=const:1ms,stall=12s:20s",
     "--pattern randwrite4k --flush yes --rate 100 --time 10s --warmup 5s", "drained/ops"),
    ("flushes, lost and failed", "latency=exp:3ms,osds=3,error=EIO:0.1,lost=0.005,never=0.002",
     "--pattern randrw4k,read=30,qd=24 --flush yes --rate 300,poisson --time 3s --drain 1s", "lost"),
    ("flushes, timed out", "latency=exp:10ms,error=ETIMEDOUT:0.1",
     "--pattern randwrite4k,qd=4 --flush yes --time 2s --clients 2", "lost"),
    ("flushes by operations", "latency=exp:5ms", "--pattern randwrite4k,qd=8 --flush yes --ops 501",
     "finished/ops"),
    ("log of etcd with a backlog of the warm-up", "latency=exp:5ms,servers=1,osds=3,stall=1s:2s:1",
     "--pattern etcd-wal,qd=9 --rate 300,poisson --time 3s --clients 3", "late"),
]

PATTERNS = [
    ("zipf with an odd size", "latency=exp:5ms,osds=3",
     "--pattern rand,read=30,bs=5000,dist=zipf:1.1,size=64M,qd=7 --time 2s", "finished/ops"),
    ("in order", "latency=uniform:1ms:9ms", "--pattern seq,read=0,bs=64k,object-size=8M,qd=3 --time 2s",
     "finished/ops"),
    ("whole objects", "latency=exp:50ms,osds=2", "--pattern radosbench-rand --time 2s", "finished/ops"),
    ("omap-set", "latency=exp:5ms", "--pattern omap-set --time 1s --qd 4", "finished/ops"),
    ("omap-get", "latency=exp:5ms,error=ENOENT:0.01", "--pattern omap-get --time 2s --qd 4",
     "errors/ENOENT"),
    ("stat", "latency=exp:5ms,osds=3", "--pattern stat --objects 500 --time 1s --qd 4", "finished/ops"),
    ("create", "latency=exp:5ms,osds=3", "--pattern create --time 1s --qd 4", "finished/ops"),
    ("delete until none is left", "latency=exp:5ms,osds=3",
     "--pattern delete --objects 500 --time 2s --warmup 500ms --qd 4", "finished/ops"),
    ("list", "latency=exp:5ms,osds=3", "--pattern list --time 1s --qd 4", "finished/ops"),
]

# Rows of ten and of sixty seconds, with stalls in both and in the last hour. Thirty hours have no other
# rows, and each hour takes half a second.
AGED = [
    ("five hours with stalls", "latency=exp:20s,osds=30,stall=30m:1h,stall=12000s:20m,stall=17000s:7m:1",
     "--pattern randrw4k,qd=20 --rate 0.1,poisson --time 5h", "late"),
]

ALL = [*CLOSED, *OPEN, *ERRORS, *STALLS, *LOST, *PAIRS, *PATTERNS, *AGED]
