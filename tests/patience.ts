/** How long a test waits for something that must come: it says nothing of speed, for machines may be very busy. */
export const PATIENCE_MS = 180_000
