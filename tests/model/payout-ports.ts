import type { PayoutPorts } from "../../src/workflows/payouts/ports"
import type { CreatePayoutRequest, PreparedPayout } from "../../src/service/client"
import { checkRequest } from "./payout-rules"
import type { World } from "./world"

/** The ports of the functions for payouts: the table of payouts, and everything that a settle reaches. */
export function payoutPortsOf(world: World): PayoutPorts {
  const { ports, payouts, processes, clock } = world
  return {
    ...ports,
    module: {
      ...ports.module,
      payouts,
      accounts: async () => {
        await processes.pause()
        return await ports.module.accounts()
      },
    } as unknown as PayoutPorts["module"],
    wait: async (ms) => {
      const until = clock.now + ms
      await processes.pause(() => clock.now >= until)
    },
    stopwatch: () => {
      const since = clock.now
      return () => clock.now - since
    },
  }
}

/** Time passes before the request arrives, and until its answer is back. */
export function preparePayout(world: World) {
  const { processes, remotePayouts, payouts } = world
  return (request: CreatePayoutRequest, key: string): PreparedPayout => {
    const body = Buffer.from(JSON.stringify(request))
    return {
      body,
      send: async () => {
        checkRequest(world, key, body)
        await processes.pause()
        const answer = remotePayouts.take(key, body)
        await processes.pause()
        const index = payouts.underWay.findIndex((request) => request.key === key)
        payouts.underWay.splice(index, 1)
        return answer()
      },
    }
  }
}
