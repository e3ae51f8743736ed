/** The part of a browser that jsdom lacks and a panel asks for: how wide the screen is. */
let isWide = true
const followers = new Set<() => void>()

Object.defineProperty(window, "matchMedia", {
  value: () => ({
    get matches() {
      return isWide
    },
    addEventListener: (_: string, follower: () => void) => followers.add(follower),
    removeEventListener: (_: string, follower: () => void) => followers.delete(follower),
  }),
})

Object.assign(window, {
  widenScreen(wide: boolean) {
    isWide = wide
    for (const follower of followers) follower()
  },
})
