import { acceptRoute } from "../../problem-route"

/** Accepts the paid sum instead of the one that was asked for. */
export const POST = acceptRoute("accept_amount")
