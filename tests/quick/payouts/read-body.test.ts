import { Readable } from "node:stream"

import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"

import { readBody } from "../../../src/api/read-body"

const Body = z.strictObject({ sent: z.boolean().optional() })
const read = (text: string, headers: Record<string, string>) =>
  readBody(
    Object.assign(Readable.from([Buffer.from(text)]), { headers }) as unknown as MedusaRequest,
    Body
  )
const json = { "content-type": "application/json; charset=utf-8" }
const token = { authorization: "Bearer a-token" }

describe("the body of a request about payouts", () => {
  it("may be missing where no other site can have sent the request", async () => {
    expect(await read("", token)).toEqual({})
    expect(await read("", json)).toEqual({})
    // A form of another site is sent with the cookie of the session.
    const form = { cookie: "connect.sid=1", "content-type": "text/plain" }
    await expect(read("", form)).rejects.toMatchObject({ code: "invalid_request" })
    await expect(read("", { cookie: "connect.sid=1" })).rejects.toMatchObject({
      code: "invalid_request",
    })
  })
})
