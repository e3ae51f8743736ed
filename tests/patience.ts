/**
 * How long a test waits for something that must come: it says nothing of speed, for machines may be very busy. Who writes
 * a test sets PATIENCE_S to learn sooner that it fails.
 */
export const PATIENCE_MS = Number(process.env.PATIENCE_S ?? 180) * 1_000

/** Packing, installing and building, before the tests of a file: together longer than a test may take where a machine is busy. */
export const LONGEST_BUILD_MS = 30 * 60_000
