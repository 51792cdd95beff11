"""The parts of tools/lab: one concept per module, `cli` on top, no cycles."""
