import { METHOD_PROVIDERS } from "../../../src/providers/payment-service"
import { requireListedOnce } from "../../../src/settings/resolve-options"

const PLUGIN = "medusa-payment-sbp-crypto"

describe("the start of a store stops (promise 24)", () => {
  it.each([
    [[PLUGIN, { resolve: PLUGIN, options: {} }]],
    [
      [
        { resolve: PLUGIN, options: {} },
        { resolve: PLUGIN, options: {} },
      ],
    ],
  ])("when the plugin is listed twice: %j", (plugins) => {
    expect(() => requireListedOnce(plugins)).toThrow(
      `${PLUGIN}: must be listed once in the plugins of medusa-config.ts`
    )
  })

  it("not when it is listed once, beside others", () => {
    expect(() => requireListedOnce([PLUGIN, { resolve: `${PLUGIN}-of-another` }])).not.toThrow()
  })

  it.each(METHOD_PROVIDERS)("when the payment provider is given options, %p", (provider) => {
    expect(() =>
      provider.validateOptions({ secret: "s3cret", baseUrl: "https://pay.test" })
    ).toThrow(`${PLUGIN}: secret, baseUrl must be given to the plugin, not to its payment provider`)
    expect(() => provider.validateOptions(undefined)).not.toThrow()
    expect(() => provider.validateOptions({})).not.toThrow()
  })
})
