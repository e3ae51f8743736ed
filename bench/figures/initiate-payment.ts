import type { InitiateTimes } from "../inside/initiate-payment"
import type { Benchmark, Figure } from "../figure"
import { median, p99, rounded } from "../statistics"

/** How long a shopper waits for the plugin, without the service's own time. */
export const initiatePayment: Benchmark = {
  name: "initiate-payment",
  title: "Initiating a payment",
  async run(stand, { quick }): Promise<Figure[]> {
    const samples = quick ? 10 : 100
    const { initiate, bare } = await stand.inside<InitiateTimes>(
      "initiate-payment",
      await stand.database(),
      { samples, warmUp: quick ? 3 : 20 }
    )
    const added = median(initiate) - median(bare)
    return [
      {
        figure: "initiate_payment_added",
        value: rounded(added),
        unit: "ms",
        yardstick: "the same HTTP call with bare axios",
        yardstick_value: rounded(median(bare)),
        ratio: rounded(added / median(bare)),
        samples,
        measured:
          "median time of initiatePayment, as core calls it in a booted app (medusa exec) when it makes " +
          "a payment session, less the median of the same POST to the simulator with bare axios, in turns " +
          "in the same process",
        details: {
          initiate_median_ms: rounded(median(initiate)),
          initiate_p99_ms: rounded(p99(initiate)),
          yardstick_p99_ms: rounded(p99(bare)),
        },
      },
    ]
  },
}
