import { acceptRoute } from "../../problem-route"

/** Takes the payment for its order, in place of the one that was promised. */
export const POST = acceptRoute("take_instead")
