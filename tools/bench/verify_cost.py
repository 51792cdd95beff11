"""What checking reads costs: CPU of the client for each operation with every kind of --verify, beside
none. A second run without checks in every round shows the noise.

usage: verify_cost.py RADOSLOAD [--pool ssd] [--pattern randrw4k,size=64M] [--depths 16,64]
                      [--rounds 20] [--seconds 3]                    CEPH_CONF names the cluster
"""

from variants import command_for, compare, cpu_of, record_of, without_store, words_of


def main():
    words = words_of(depths="16,64")

    def checked(kind):
        return lambda depth: record_of(command_for(words, depth, "--verify", kind))

    variants = {"off": checked("off"), "off again": checked("off")}
    variants |= {kind: checked(kind) for kind in ("stamp", "generation", "full")}
    figures = {"CPU per operation": cpu_of, "IOPS": lambda record: record["totals"]["all"]["iops"]}
    without_store(lambda: compare(words, variants, "off", figures))


if __name__ == "__main__":
    main()
