/**
 * How long a test waits for something that must come: it says nothing of speed, for machines may be very busy. Who writes
 * a test sets PATIENCE_S to learn sooner that it fails.
 */
export const PATIENCE_MS = Number(process.env.PATIENCE_S ?? 180) * 1_000
