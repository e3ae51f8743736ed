import { endRoute } from "../../problem-route"

/** Cancels the order that a killed completion left, and places another one. */
export const POST = endRoute("replace_order")
