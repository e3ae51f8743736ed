import { acceptRoute } from "../../problem-route"

/** Accepts the payment for the cart as it is now, or for a new order like the canceled one. */
export const POST = acceptRoute("place_order")
