const undoings: (() => void)[] = []

/** Undoes something when the test of now ends, however it ends: the last thing first, and before anybody waits for what goes on. */
export function untilTheTestEnds(undo: () => void): void {
  undoings.push(undo)
}

/** For the store, which begins each test as the first one. */
export function undoWhatTheTestDid(): void {
  for (let undo = undoings.pop(); undo; undo = undoings.pop()) undo()
}

/** Gives something other values until the test ends. */
export function setUntilTheTestEnds<Of extends object>(of: Of, values: Partial<Of>): void {
  const before = Object.fromEntries(Object.keys(values).map((name) => [name, of[name as keyof Of]]))
  untilTheTestEnds(() => void Object.assign(of, before))
  Object.assign(of, values)
}

/** A moment that somebody comes to, or that others wait for. */
export interface Gate {
  readonly passed: Promise<void>
  pass: () => void
}

/** Nobody waits at it longer than until the test ends. */
export function gate(): Gate {
  let pass = () => {}
  const passed = new Promise<void>((resolve) => (pass = resolve))
  untilTheTestEnds(pass)
  return { passed, pass }
}
