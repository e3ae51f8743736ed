interface Expiry {
  id: string
  at: number
}

/** The expiry times of transactions, as a binary heap: asking what is due costs nothing while nothing is due. */
export class ExpiryQueue {
  private heap: Expiry[] = []
  /** The valid expiry time of each id; entries of the heap with another time are outdated. */
  private readonly times = new Map<string, number>()

  /** Adds an id, or changes its time. */
  set(id: string, at: number): void {
    if (this.times.get(id) === at) return
    this.times.set(id, at)
    if (this.heap.length > 2 * this.times.size + 1_000) this.rebuild()
    else this.push({ id, at })
  }

  /** Removes and returns all ids that are due at a time, the earliest first. */
  take(now: number): string[] {
    const due: string[] = []
    for (let next = this.heap[0]; next && next.at <= now; next = this.heap[0]) {
      this.pop()
      if (this.times.get(next.id) !== next.at) continue
      this.times.delete(next.id)
      due.push(next.id)
    }
    return due
  }

  /** Drops outdated entries, because a time that is changed repeatedly must not fill the memory. */
  private rebuild(): void {
    // A sorted array is a heap.
    this.heap = [...this.times]
      .map(([id, at]) => ({ id, at }))
      .sort((one, other) => one.at - other.at)
  }

  private push(expiry: Expiry): void {
    const { heap } = this
    let index = heap.length
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (!parent || parent.at <= expiry.at) break
      heap[index] = parent
      index = above
    }
    heap[index] = expiry
  }

  private pop(): void {
    const { heap } = this
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const [one, other] = [heap[left], heap[right]]
      const below = other && one && other.at < one.at ? right : left
      const child = heap[below]
      if (!child || child.at >= last.at) break
      heap[index] = child
      index = below
    }
    heap[index] = last
  }
}
