import { createHash, createHmac } from "node:crypto"

import type { Simulator } from "../../../simulator"
import { call } from "./running-simulator"

/** One exchange with the payout area, signed as the specification says with what the simulator knows. */
export async function signedCall(
  simulator: Simulator,
  method: "GET" | "POST",
  path: string,
  options: { body?: unknown; key?: string; ts?: number; secret?: string } = {}
) {
  const { key = "", ts = Math.floor(simulator.now() / 1000) } = options
  const body = bytesOf(options.body)
  const digest = createHash("sha256").update(body).digest("hex")
  const signature = createHmac("sha256", options.secret ?? simulator.signingSecret)
    .update([method, path.split("?")[0], ts, key, digest].join("\n"))
    .digest("base64")
  return call(simulator, method, path, {
    body: body === "" ? undefined : body,
    key: false,
    headers: {
      Authorization: `${simulator.scheme} kid=${simulator.merchantId}, ts=${ts}, sig=${signature}`,
      ...(key && { "Idempotency-Key": key }),
    },
  })
}

function bytesOf(body: unknown): string {
  if (body === undefined) return ""
  return typeof body === "string" ? body : JSON.stringify(body)
}
