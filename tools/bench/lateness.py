"""How late an open loop sends its operations, and what it spends on being on time.

The simulated target in real time, on one thread, at several rates. Each round takes the rates in
turn. The record says how long after its time each operation was sent; the processor time is that of
the whole program, simulation included. On a machine that is not idle this measures the others.
Exits with 1 when a rate is later than the target.

usage: lateness.py RADOSLOAD [--rates 500,1000,2000,5000,10000] [--rounds 3] [--seconds 5]
                   [--target P50,P99]    in us: 10,100
"""

import argparse
import json
import statistics
import subprocess
import sys


def measure(words, rate):
    done = subprocess.run(
        [words.radosload, "run", "--target", "sim", "--sim", "latency=const:1ms,threads=1",
         "--pattern", "randread4k", "--rate", str(rate), "--warmup", "1s", "--time",
         f"{words.seconds}s", "--save", "none", "--format", "json", "--no-progress"],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"the run failed:\n{done.stderr}")
    record = json.loads(done.stdout)
    cpu = record["client_cpu_s"]
    late = record["late_us"]
    share = 100 * (cpu["user"] + cpu["sys"]) / record["measured_s"]
    return late["p50"], late["p99"], late["max"], share


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("radosload")
    parser.add_argument("--rates", default="500,1000,2000,5000,10000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--target", default="10,100", metavar="P50,P99",
                        help="the latest p50 and p99 in us; later ones are a failure")
    words = parser.parse_args()
    most = [float(limit) for limit in words.target.split(",")]
    rates = [int(rate) for rate in words.rates.split(",")]
    found = {rate: [] for rate in rates}
    for _ in range(words.rounds):
        for rate in rates:
            found[rate].append(measure(words, rate))
    print("| operations a second | late, p50, us | p99, us | max, us | a processor's time, % |")
    print("| --- | --- | --- | --- | --- |")
    missed = []
    for rate in rates:
        p50, p99, longest, share = (statistics.median(values) for values in zip(*found[rate]))
        print(f"| {rate:,} | {p50:.1f} | {p99:.1f} | {longest:.0f} | {share:.0f} |")
        missed += [f"at {rate:,} operations a second {name} is {late_us:.1f} us, not {limit:g} us"
                   for name, late_us, limit in (("p50", p50, most[0]), ("p99", p99, most[1]))
                   if late_us > limit]
    if missed:
        sys.exit("\n".join(["operations are sent later than the target:", *missed]))


if __name__ == "__main__":
    main()
